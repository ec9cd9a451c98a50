let main l =
  let positive = List.filter (fun x -> x > 0) l in
  List.iter (fun x -> assert (x > 0)) (List.sort (fun a b -> compare b a) positive)
