let main n m = for i = 0 to n do for j = 0 to m do print_int (i + j) done done
