let add x y = x + y
let main n = let inc = add 1 in assert (inc n = n + 1)
