let rec least l d = match l with [] -> d | x :: t -> least t (if x < d then x else d)
let rec shifted l = match l with [] -> [] | x :: t -> (x + 1) :: shifted t
let main x l = assert (least (shifted l) (x + 1) = least l x + 1)
