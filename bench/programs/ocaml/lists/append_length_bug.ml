let rec length l = match l with [] -> 0 | _ :: t -> 1 + length t
let rec append a b = match a with [] -> b | x :: t -> x :: append t b
let main a b = assert (length (append a b) > length b)
