let first_above n l =
  let exception Found of int in
  try List.iter (fun x -> if x > n then raise (Found x)) l; n with Found x -> x
let main n l = assert (first_above n l >= n)
