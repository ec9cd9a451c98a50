let rec filter p l = match l with [] -> [] | x :: t -> if p x then x :: filter p t else filter p t
let main l n = List.iter (fun x -> assert (x > n)) (filter (fun x -> x > n) l)
