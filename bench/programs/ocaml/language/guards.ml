let sign n = match n with 0 -> 0 | n when n > 0 -> 1 | _ -> -1
let main n = assert (sign n * n >= 0)
