let rec length l = match l with [] -> 0 | _ :: t -> 1 + length t
let rec twice l = match l with [] -> [] | x :: t -> x :: x :: twice t
let main l = assert (length (twice l) = 2 * length l)
