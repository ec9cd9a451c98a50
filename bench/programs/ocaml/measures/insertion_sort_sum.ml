let rec insert x l = match l with [] -> [x] | y :: t -> if x <= y then x :: l else y :: insert x t
let rec isort l = match l with [] -> [] | x :: t -> insert x (isort t)
let sum l = List.fold_left (fun a x -> a + x) 0 l
let main l = assert (sum (isort l) = sum l)
