let rec merge a b = match (a, b) with ([], l) | (l, []) -> l | (x :: s, y :: t) -> if x <= y then x :: merge s b else y :: merge a t
let main (a : int list) b = ignore (merge a b)
