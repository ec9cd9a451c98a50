let rec length l = match l with [] -> 0 | _ :: t -> 1 + length t
let rec nth l n = match l with [] -> assert false | x :: t -> if n = 0 then x else nth t (n - 1)
let main l n = if 0 <= n && n < length l then ignore (nth l n)
