exception A of int
let f n = try if n > 3 then raise (A n) else n with A k -> raise (A (k + 1))
let main n = try assert (f n <= 3) with A k -> assert (k > 4)
