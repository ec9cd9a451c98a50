type tree = Leaf | Node of tree * int * tree
let rec sum t = match t with Leaf -> 0 | Node (l, x, r) -> sum l + x + sum r
let rec mirror t = match t with Leaf -> Leaf | Node (l, x, r) -> Node (mirror r, x, mirror l)
let main t = assert (sum (mirror t) = sum t)
