let compose f g x = f (g x)
let main n = assert (compose (fun x -> x + 1) (fun x -> x * 2) n = 2 * n + 1)
