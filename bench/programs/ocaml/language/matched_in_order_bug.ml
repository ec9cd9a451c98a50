let main n =
  let last = ref n in
  let next k = last := !last + k; !last in
  let first, second = next 1, next 2 in
  assert (first < second && second = n + 3)
