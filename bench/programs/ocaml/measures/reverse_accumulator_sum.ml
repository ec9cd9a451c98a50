let rec sum l = match l with [] -> 0 | x :: t -> x + sum t
let rec reverse_onto l acc = match l with [] -> acc | x :: t -> reverse_onto t (x :: acc)
let main l = assert (sum (reverse_onto l []) = sum l)
