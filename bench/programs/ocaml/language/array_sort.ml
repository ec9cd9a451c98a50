let main n =
  if n >= 0 then begin
    let a = Array.make n 1 in
    for i = 0 to n - 1 do a.(i) <- i + 1 done;
    Array.sort compare a;
    Array.iter (fun x -> assert (x >= 1)) a
  end
