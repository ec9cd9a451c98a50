let rec gcd a b = if b <= 0 then a else gcd b (a mod b)
let main a b = if a >= 0 then ignore (gcd a b)
