let main n = let i = ref n in while !i > 1 do i := !i / 2 done
