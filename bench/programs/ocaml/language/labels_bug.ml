let shift ?(by = 1) n = n + by
let main n = assert (shift ~by:(shift n) n > n)
