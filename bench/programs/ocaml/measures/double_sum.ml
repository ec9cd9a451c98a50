let rec sum l = match l with [] -> 0 | x :: t -> x + sum t
let rec double l = match l with [] -> [] | x :: t -> (2 * x) :: double t
let main l = assert (sum (double l) = 2 * sum l)
