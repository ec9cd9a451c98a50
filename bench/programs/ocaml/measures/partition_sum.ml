let rec sum l = match l with [] -> 0 | x :: t -> x + sum t
let rec partition p l = match l with [] -> ([], []) | x :: t -> let (a, b) = partition p t in if p x then (x :: a, b) else (a, x :: b)
let main l = let (a, b) = partition (fun x -> x > 3) l in assert (sum a + sum b = sum l)
