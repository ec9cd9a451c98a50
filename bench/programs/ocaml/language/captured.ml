let rec compose f g n = if n <= 0 then f (g ()) else compose (fun x -> f x) (fun () -> g ()) (n - 1)
let main m = compose (fun x -> assert (x = m)) (fun () -> m) 3
