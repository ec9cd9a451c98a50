let rec last l = match l with [] -> assert false | [x] -> x | _ :: t -> last t
let main x l = ignore (last (x :: l))
