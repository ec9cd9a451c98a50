(* Multiplication by addition, in continuation-passing style. *)
let rec mult x y k = if y <= 0 then k 0 else mult x (y - 1) (fun r -> k (x + r))

let main n = if n > 0 then mult n n (fun r -> assert (r > n))
