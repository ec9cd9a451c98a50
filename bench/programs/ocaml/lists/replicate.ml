let rec length l = match l with [] -> 0 | _ :: t -> 1 + length t
let rec replicate n x = if n <= 0 then [] else x :: replicate (n - 1) x
let main n x = if n >= 0 then assert (length (replicate n x) = n)
