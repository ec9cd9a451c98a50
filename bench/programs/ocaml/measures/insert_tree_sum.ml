type tree = Leaf | Node of tree * int * tree
let rec sum t = match t with Leaf -> 0 | Node (l, x, r) -> sum l + x + sum r
let rec insert x t = match t with
  | Leaf -> Node (Leaf, x, Leaf)
  | Node (l, y, r) -> if x <= y then Node (insert x l, y, r) else Node (l, y, insert x r)
let main x t = assert (sum (insert x t) = sum t + x)
