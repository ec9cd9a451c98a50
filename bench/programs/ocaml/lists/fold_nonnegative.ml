let main l = assert (List.fold_left (fun acc x -> if x > 0 then acc + x else acc) 0 l >= 0)
