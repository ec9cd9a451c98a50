let rec sum l = match l with [] -> 0 | x :: t -> x + sum t
let rec take n l = match l with [] -> [] | x :: t -> if n <= 0 then [] else x :: take (n - 1) t
let rec drop n l = match l with [] -> [] | x :: t -> if n <= 0 then l else drop (n - 1) t
let main n l = assert (sum (take n l) + sum (drop n l) = sum l)
