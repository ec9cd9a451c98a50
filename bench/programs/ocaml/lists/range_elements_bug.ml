let rec range i n = if i > n then [] else i :: range (i + 1) n
let main n = List.iter (fun x -> assert (0 <= x && x < n)) (range 0 n)
