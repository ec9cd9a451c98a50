let rec length l = match l with [] -> 0 | _ :: t -> 1 + length t
let rec filter p l = match l with [] -> [] | x :: t -> if p x then x :: filter p t else filter p t
let main l n = assert (length (filter (fun x -> x > n) l) <= length l)
