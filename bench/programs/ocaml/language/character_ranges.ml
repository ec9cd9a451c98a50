let is_letter c = match c with 'a'..'z' | 'A'..'Z' -> true | _ -> false
let is_lower c = c >= 'a' && c <= 'z'
let main c = assert (is_letter c || not (is_lower c))
