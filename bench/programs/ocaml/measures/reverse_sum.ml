let rec sum l = match l with [] -> 0 | x :: t -> x + sum t
let rec append a b = match a with [] -> b | x :: t -> x :: append t b
let rec rev l = match l with [] -> [] | x :: t -> append (rev t) [x]
let main l = assert (sum (rev l) = sum l)
