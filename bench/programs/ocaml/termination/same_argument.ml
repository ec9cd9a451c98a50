let rec f a b = if a = b then 0 else f b a
let main a b = ignore (f a b)
