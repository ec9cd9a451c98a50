module Counter = struct
  type t = { count : int }
  let zero = { count = 0 }
  let next c = { count = c.count + 1 }
  let get c = c.count
end
let main () = let open Counter in assert (get (next (next zero)) = 2)
