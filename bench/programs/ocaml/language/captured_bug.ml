let rec compose f g n = if n <= 0 then f (g ()) else compose (fun x -> f (x + 1)) (fun () -> g ()) (n - 1)
let main m k = compose (fun x -> assert (x = m)) (fun () -> m) k
