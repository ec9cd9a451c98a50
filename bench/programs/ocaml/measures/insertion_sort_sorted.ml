let rec insert x l = match l with [] -> [x] | y :: t -> if x <= y then x :: l else y :: insert x t
let rec isort l = match l with [] -> [] | x :: t -> insert x (isort t)
let rec sorted l = match l with [] -> true | [_] -> true | x :: y :: t -> x <= y && sorted (y :: t)
let main l = assert (sorted (isort l))
