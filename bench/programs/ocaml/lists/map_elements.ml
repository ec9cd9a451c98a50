let main l = List.iter (fun x -> assert (x > 0)) (List.map (fun x -> if x > 0 then x else 1 - x) l)
