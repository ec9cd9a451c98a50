let rec length l = match l with [] -> 0 | _ :: t -> 1 + length t
let rec merge a b = match (a, b) with ([], l) | (l, []) -> l | (x :: s, y :: t) -> if x <= y then x :: merge s b else y :: merge a t
let main a b = assert (length (merge a b) = length a + length b)
