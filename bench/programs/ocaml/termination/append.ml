let rec append a b = match a with [] -> b | x :: t -> x :: append t b
let main (a : int list) b = ignore (append a b)
