let main a b = let r = try a / b with Division_by_zero -> 0 in assert (b <> 0 || r = 0)
