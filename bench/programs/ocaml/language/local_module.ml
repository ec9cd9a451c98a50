let scaled n k =
  let module Scale = struct
    type t = Plain | By of int
    let factor = function Plain -> 1 | By f -> f
    let apply x s = x * factor s
  end in
  let open Scale in
  if k then apply n (By 3) else apply n Plain

let main n k = if n >= 0 then assert (scaled n k >= n)
