let two f x = f (f x)
let main n = assert (two two (fun x -> x + 1) n = n + 4)
