let main n = let rec loop i s = if i > n then s else loop (i + 1) (s + 1) in if n >= 0 then assert (loop 0 0 = n + 1)
