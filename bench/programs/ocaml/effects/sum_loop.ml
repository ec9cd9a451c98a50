let main n = let s = ref 0 and i = ref 0 in while !i < n do s := !s + !i; i := !i + 1 done; assert (!s >= 0)
