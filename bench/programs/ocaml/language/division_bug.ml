let main a b = if b >= 0 then ignore (a / b)
