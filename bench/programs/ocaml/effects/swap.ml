let swap a b = let t = !a in a := !b; b := t
let main x y = let a = ref x and b = ref y in swap a b; assert (!a = y && !b = x)
