let rec length l = match l with [] -> 0 | _ :: t -> 1 + length t
let rec drop n l = if n <= 0 then l else match l with [] -> [] | _ :: t -> drop (n - 1) t
let main n l = assert (length (drop n l) <= length l)
