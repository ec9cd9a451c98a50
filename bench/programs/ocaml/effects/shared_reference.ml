let make () = let r = ref 0 in ((fun () -> r := !r + 1), (fun () -> !r))
let main n = let (step, get) = make () in for i = 1 to n do step () done; assert (get () >= 0)
