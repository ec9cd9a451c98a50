let rec find p l = match l with [] -> None | x :: t -> if p x then Some x else find p t
let main n l = match find (fun x -> x > n) l with None -> () | Some x -> assert (x > n)
