let head l = match l with x :: _ -> x | [] -> assert false
let main l = ignore (head l)
