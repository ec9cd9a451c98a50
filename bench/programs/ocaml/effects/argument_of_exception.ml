exception Negative of int
let check x = if x < 0 then raise (Negative x) else x
let main n = try assert (check n >= 0) with Negative x -> assert (x < 0)
