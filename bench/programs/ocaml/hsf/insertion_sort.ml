(* Each element moves to its place among those before it. *)
let rec insert a i =
  if i > 0 && a.(i - 1) > a.(i) then begin
    let moved = a.(i) in
    a.(i) <- a.(i - 1);
    a.(i - 1) <- moved;
    insert a (i - 1)
  end

let rec sort a i =
  if i < Array.length a then begin
    insert a i;
    sort a (i + 1)
  end

let main n = if n >= 0 then sort (Array.init n (fun i -> n - i)) 1
