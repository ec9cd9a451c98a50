exception Stop
let check n = if n > 0 then raise Stop
let main n = (try check n with Stop -> ()); (try check n with Stop -> ())
