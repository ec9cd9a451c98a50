let rec sorted l = match l with [] -> true | [_] -> true | x :: y :: t -> x <= y && sorted (y :: t)
let rec merge a b = match a, b with
  | [], l -> l
  | l, [] -> l
  | x :: s, y :: t -> if x <= y then x :: merge s b else y :: x :: merge s t
let main a b = if sorted a && sorted b then assert (sorted (merge a b))
