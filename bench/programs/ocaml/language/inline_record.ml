type shape = Square of { side : int } | Rectangle of { width : int; height : int }
let area s = match s with Square { side } -> side * side | Rectangle { width; height } -> width * height
let main n = assert (area (Square { side = n }) = area (Rectangle { width = n; height = n }))
