let rec sorted l = match l with [] -> true | [_] -> true | x :: y :: t -> x <= y && sorted (y :: t)
let rec remove x l = match l with [] -> [] | y :: t -> if x = y then t else y :: remove x t
let main x l = if sorted l then assert (sorted (remove x l))
