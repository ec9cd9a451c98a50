type tree = Leaf | Node of tree * int * tree
let rec total t = match t with Leaf -> 0 | Node (l, x, r) -> total l + x + total r
let rec sum l = match l with [] -> 0 | x :: t -> x + sum t
let rec onto t acc = match t with Leaf -> acc | Node (l, x, r) -> onto l (x :: onto l acc)
let main t = assert (sum (onto t []) = total t)
