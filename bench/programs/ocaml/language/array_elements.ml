let main n = if n > 0 then (let a = Array.make n 1 in for i = 0 to n - 1 do a.(i) <- a.(i) + 1 done; assert (a.(0) >= 1))
