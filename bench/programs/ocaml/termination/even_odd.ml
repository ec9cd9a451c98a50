let rec even n = if n <= 0 then n = 0 else odd (n - 1)
and odd n = if n <= 0 then false else even (n - 1)
let main n = ignore (even n)
