let rec length l = match l with [] -> 0 | _ :: t -> 1 + length t
let rec onto a b = match a with [] -> b | x :: t -> onto t (x :: b)
let main l = assert (length (onto l []) = length l)
