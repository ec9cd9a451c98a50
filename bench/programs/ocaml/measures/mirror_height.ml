type tree = Leaf | Node of tree * int * tree
let rec height t = match t with Leaf -> 0 | Node (l, _, r) -> 1 + max (height l) (height r)
let rec mirror t = match t with Leaf -> Leaf | Node (l, x, r) -> Node (mirror r, x, mirror l)
let main t = assert (height (mirror t) = height t)
