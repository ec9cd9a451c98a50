let main n = let c = ref 0 in for i = 1 to n do incr c done; assert (n < 0 || !c = n)
