let safe_div a b = if b = 0 then None else Some (a / b)
let main a = match safe_div a 2 with None -> assert false | Some q -> assert (a < 0 || q <= a)
