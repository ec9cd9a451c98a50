let main n = let r = ref 1 in let l = [r] in List.iter (fun c -> c := !c + 1) l; assert (!r >= 1)
