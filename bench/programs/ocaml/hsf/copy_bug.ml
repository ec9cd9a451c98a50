(* One array into another that is at least as long. *)
let rec copy source target i =
  if i <= Array.length source then begin
    target.(i) <- source.(i);
    copy source target (i + 1)
  end

let main n m = if 0 <= n && n <= m then copy (Array.make n 0) (Array.make m 1) 0
