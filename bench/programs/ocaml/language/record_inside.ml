type shape = Circle of { radius : int } | Box of { width : int; mutable height : int } | Dot

let grown shape = match shape with
  | Circle c -> Circle { radius = c.radius + 1 }
  | Box b -> b.height <- b.height + 1; Box b
  | Dot -> Dot

let size shape = match shape with Circle c -> c.radius | Box b -> b.width + b.height | Dot -> 0

let main n =
  let circle = Circle { radius = n } and box = Box { width = n; height = 1 } in
  assert (size (grown circle) = size circle + 1);
  let before = size box in
  ignore (grown box);
  assert (size box = before + 1)
