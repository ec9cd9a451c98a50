(* The largest element of an array that is not empty. *)
let maximum a =
  let rec go i best = if i < Array.length a then go (i + 1) (if a.(i) > best then a.(i) else best) else best in
  go 1 a.(0)

let main n = if n > 0 then ignore (maximum (Array.make n 7))
