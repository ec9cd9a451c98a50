let ( let* ) o f = match o with None -> None | Some x -> f x
let divide a b = if b = 0 then None else Some (a / b)
let main a b c =
  match (let* x = divide a b in let* y = divide x c in Some (x, y)) with
  | None -> assert (b = 0 || c = 0)
  | Some _ -> assert (b <> 0 && c <> 0)
