let clamp low high x = if x < low then low else if x > high then high else x
let main x = ignore (clamp 0 100 x + 1)
