let rec length l = match l with [] -> 0 | _ :: t -> 1 + length t
let rec map f l = match l with [] -> [] | x :: t -> f x :: map f t
let main l n = assert (length (map (fun x -> x + n) l) = length l)
