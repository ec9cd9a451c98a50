let head l = match l with x :: _ -> x | [] -> assert false
let main n l = ignore (head (n :: l))
