let main l = let c = ref 0 in List.iter (fun x -> if x > 0 then incr c) l; assert (!c >= 0)
