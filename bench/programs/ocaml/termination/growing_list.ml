let rec pile n l = if List.length [n] = 1 then pile n (n :: l) else l
let main n = ignore (pile n [])
