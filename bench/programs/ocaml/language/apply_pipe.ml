let double x = 2 * x
let main n = assert ((n |> double |> double) = (double @@ double n))
