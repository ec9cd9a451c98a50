type point = { x : int; y : int }
let move p d = { p with x = p.x + d }
let main a b d = let p = move { x = a; y = b } d in assert (p.x > a)
