type account = { limit : int; mutable balance : int }
let withdraw a n = if n <= a.balance then a.balance <- a.balance - n - 1
let main b n m = if b >= 0 then (let a = { limit = 0; balance = b } in withdraw a n; withdraw a m; assert (a.balance >= 0))
