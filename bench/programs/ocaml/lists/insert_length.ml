let rec length l = match l with [] -> 0 | _ :: t -> 1 + length t
let rec insert x l = match l with [] -> [x] | y :: t -> if x <= y then x :: l else y :: insert x t
let main x l = assert (length (insert x l) = length l + 1)
