exception Found of int
let index p a = try for i = 0 to Array.length a - 1 do if p a.(i) then raise (Found i) done; -1 with Found i -> i
let main n k = if n > 0 then (let a = Array.make n k in let i = index (fun x -> x > 0) a in assert (-1 <= i && i < n))
