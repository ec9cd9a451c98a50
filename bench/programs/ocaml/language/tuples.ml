let swap (a, b) = (b, a)
let main a b = let (x, y) = swap (a, b) in assert (x = b && y = a)
