exception A
exception B
let f n = if n > 0 then raise A else raise B
let main n = let r = try (try f n with B -> 1) with A -> 2 in assert (r = (if n > 0 then 2 else 1))
