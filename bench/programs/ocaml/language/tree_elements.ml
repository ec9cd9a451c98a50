type tree = Leaf | Node of tree * int * tree
let rec all p t = match t with Leaf -> () | Node (l, x, r) -> all p l; p x; all p r
let rec map f t = match t with Leaf -> Leaf | Node (l, x, r) -> Node (map f l, f x, map f r)
let main t = all (fun x -> assert (x > 0)) (map (fun x -> if x > 0 then x else 1) t)
