let divide ?(round_up = false) ~by n = if round_up then (n + by - 1) / by else n / by
let main n = if n >= 0 then assert (divide ~round_up:true n ~by:2 >= divide n ~by:2)
