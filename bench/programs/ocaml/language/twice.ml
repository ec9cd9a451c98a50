let twice f x = f (f x)
let main n = if n > 0 && n < 1000 then assert (twice (fun x -> 2 * x) n > n)
