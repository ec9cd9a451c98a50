let main (l : int list) = assert (List.length (List.sort compare l) = List.length l)
