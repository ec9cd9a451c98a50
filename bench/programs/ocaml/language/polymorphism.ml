let id x = x
let main n b = assert (id n = n && id b = b)
