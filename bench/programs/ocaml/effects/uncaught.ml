let rec find p l = match l with [] -> raise Not_found | x :: t -> if p x then x else find p t
let main n l = ignore (find (fun x -> x > n) (n + 1 :: l))
