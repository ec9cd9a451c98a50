let main n =
  let last = ref n in
  let next k = last := !last + k; !last in
  match next 1, next 2 with
  | first, second -> assert (first < second && second = n + 3)
