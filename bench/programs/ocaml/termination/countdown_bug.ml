let rec down n = if n = 0 then 0 else if n < 0 then down n else down (n - 1)
let main n = ignore (down n)
