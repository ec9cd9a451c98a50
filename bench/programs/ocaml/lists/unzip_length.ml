let rec length l = match l with [] -> 0 | _ :: t -> 1 + length t
let rec unzip l = match l with [] -> ([], []) | (x, y) :: t -> let (a, b) = unzip t in (x :: a, y :: b)
let main (l : (int * int) list) = let (a, b) = unzip l in assert (length a = length b)
