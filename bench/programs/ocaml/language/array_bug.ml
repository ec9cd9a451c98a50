let main n = if n >= 0 then (let a = Array.make n 0 in for i = 0 to n do a.(i) <- 1 done)
