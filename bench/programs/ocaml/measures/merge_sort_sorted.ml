let rec merge a b = match a, b with
  | [], l -> l | l, [] -> l
  | x :: s, y :: t -> if x <= y then x :: merge s b else y :: merge a t
let rec split l = match l with [] -> ([], []) | [x] -> ([x], []) | x :: y :: t -> let (a, b) = split t in (x :: a, y :: b)
let rec msort l = match l with [] -> [] | [x] -> [x] | _ -> let (a, b) = split l in merge (msort a) (msort b)
let rec sorted l = match l with [] -> true | [_] -> true | x :: y :: t -> x <= y && sorted (y :: t)
let main l = assert (sorted (msort l))
