(* The same, with an accumulator. *)
let rec sum_from n acc = if n <= 0 then acc else sum_from (n - 1) (acc + n)

let main n = assert (sum_from n 0 >= n)
