let fill a x = for i = 0 to Array.length a - 1 do a.(i) <- x done
let main n = if n >= 0 then fill (Array.make n 0) 1
