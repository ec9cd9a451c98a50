let rec length l = match l with [] -> 0 | _ :: t -> 1 + length t
let main l = assert (List.fold_right (fun _ n -> n + 1) l 0 = length l)
