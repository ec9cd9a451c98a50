let f l = match l with (0, _) :: _ -> 0 | (n, Some m) :: _ when m > n -> m - n | _ -> 1
let main (l : (int * int option) list) = assert (f l >= 0)
