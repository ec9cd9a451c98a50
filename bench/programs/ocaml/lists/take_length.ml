let rec length l = match l with [] -> 0 | _ :: t -> 1 + length t
let rec take n l = if n <= 0 then [] else match l with [] -> [] | x :: t -> x :: take (n - 1) t
let main n l = if n >= 0 then assert (length (take n l) <= n)
