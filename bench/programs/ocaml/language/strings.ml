let main b = let s = if b then "ab" else "c" in assert (String.length (s ^ "!") >= 2)
