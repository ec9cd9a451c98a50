let rec assoc k l = match l with [] -> -1 | (a, b) :: t -> if a = k then b else assoc k t
let main k (l : (int * int) list) = assert (assoc k (List.filter (fun (_, b) -> b >= 0) l) >= -1)
