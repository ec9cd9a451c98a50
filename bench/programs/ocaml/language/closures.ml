let adder n = fun x -> x + n
let main n m = let f = adder n in assert (f m = n + m)
