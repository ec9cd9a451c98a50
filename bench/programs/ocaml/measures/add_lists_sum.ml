let rec sum l = match l with [] -> 0 | x :: t -> x + sum t
let rec add a b = match a, b with
  | [], l -> l
  | l, [] -> l
  | x :: s, y :: t -> (x + y) :: add s t
let main a b = assert (sum (add a b) = sum a + sum b)
