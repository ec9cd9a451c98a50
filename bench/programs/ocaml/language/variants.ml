type shape = Dot | Square of int | Box of int * int
let grow s = match s with Dot -> Square 1 | Square n -> Box (n, n + 1) | Box (a, b) -> Box (a + 1, b + 1)
let main s = match grow s with Dot -> assert false | Square n -> assert (n = 1) | Box _ -> ()
