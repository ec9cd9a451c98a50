let rec length l = match l with [] -> 0 | _ :: t -> 1 + length t
let rec zip a b = match (a, b) with (x :: s, y :: t) -> (x, y) :: zip s t | _ -> []
let main a b = assert (length (zip a b) <= length a && length (zip a b) <= length b)
