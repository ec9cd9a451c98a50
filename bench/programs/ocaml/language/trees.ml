type tree = Leaf | Node of tree * int * tree
let rec insert x t = match t with Leaf -> Node (Leaf, x, Leaf) | Node (l, y, r) -> if x < y then Node (insert x l, y, r) else Node (l, y, insert x r)
let rec size t = match t with Leaf -> 0 | Node (l, _, r) -> size l + 1 + size r
let main t x = assert (size (insert x t) = size t + 1)
