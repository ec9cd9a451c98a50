(* The sum of the products of two arrays, element by element. *)
let dot a b =
  let rec go i sum = if i >= Array.length a then sum else go (i + 1) (sum + a.(i) * b.(i)) in
  go 0 0

let main n m =
  if 0 <= n && n <= m then
    let a = Array.make n 1 and b = Array.make m 2 in
    ignore (dot a b)
