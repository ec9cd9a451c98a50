module type S = sig val limit : int val clip : int -> int end
module M : S = struct let limit = 10 let hidden = 3 let clip n = if n > limit then limit else n + hidden - hidden end
let main n = assert (M.clip n <= M.limit)
