let rec insert x l = match l with [] -> [x] | y :: t -> if x <= y then x :: l else y :: insert x t
let rec sort l = match l with [] -> [] | x :: t -> insert x (sort t)
let main l = List.iter (fun x -> assert (x >= 0)) (sort (List.filter (fun x -> x >= 0) l))
