let main (l : int list) = assert (List.length (List.sort_uniq compare l) = List.length l)
