let rec find p l = match l with [] -> raise Not_found | x :: t -> if p x then x else find p t
let main n l = let x = try find (fun x -> x > n) l with Not_found -> n + 1 in assert (x > n)
