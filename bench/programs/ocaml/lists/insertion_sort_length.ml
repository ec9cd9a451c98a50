let rec length l = match l with [] -> 0 | _ :: t -> 1 + length t
let rec insert x l = match l with [] -> [x] | y :: t -> if x <= y then x :: l else y :: insert x t
let rec sort l = match l with [] -> [] | x :: t -> insert x (sort t)
let main l = assert (length (sort l) = length l)
