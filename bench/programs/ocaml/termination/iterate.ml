let rec iterate f n x = if n <= 0 then x else iterate f (n - 1) (f x)
let main n x = ignore (iterate (fun y -> y + 1) n x)
