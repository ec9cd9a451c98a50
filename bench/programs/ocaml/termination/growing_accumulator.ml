let rec count n steps = if n = 0 then steps else count (n / 2 * 2) (steps + 1)
let main n = if n > 1 then ignore (count n 0)
