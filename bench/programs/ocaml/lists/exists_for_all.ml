let main l = if List.for_all (fun x -> x > 0) [1; 2] then List.iter (fun x -> assert (x >= 0)) (List.filter (fun x -> x > 0) l)
