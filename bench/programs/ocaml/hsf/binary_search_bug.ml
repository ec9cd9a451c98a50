(* Where a key may stand between two places of a sorted array. *)
let rec search key a low high =
  if low > high then -1
  else
    let middle = low + (high - low) / 2 in
    if a.(middle) = key then middle
    else if a.(middle) < key then search key a (middle + 1) high
    else search key a low (middle - 1)

let main n key = if n >= 0 then ignore (search key (Array.make n 3) 0 n)
