let main l n = let (low, high) = List.partition (fun x -> x < n) l in List.iter (fun x -> assert (x < n)) low; List.iter (fun x -> assert (x >= n)) high
