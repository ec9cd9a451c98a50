let divide a b = if b = 0 then failwith "zero" else a / b
let main a b = if b > 0 then ignore (divide a b)
