let main n = let i = ref n in while !i > 0 do i := !i + 0 done
