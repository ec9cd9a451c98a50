(* What programs may use of OCaml's standard library, written in OCaml: values that nobody mentions are left out (needed.py). *)
exception Not_found
exception Exit
exception End_of_file
exception Division_by_zero
exception Failure of string
exception Invalid_argument of string
exception Match_failure of string
exception Assert_failure of string

let ignore _ = ()
let fst (x, _) = x
let snd (_, y) = y
let succ n = n + 1
let pred n = n - 1
let abs n = if n >= 0 then n else - n
let min x y = if x <= y then x else y
let max x y = if x >= y then x else y
let compare x y = if x < y then -1 else if x > y then 1 else 0
let failwith message = raise (Failure message)
let invalid_arg message = raise (Invalid_argument message)
let incr r = r := !r + 1
let decr r = r := !r - 1
let ( ~+ ) n = n
let max_int = 4611686018427387903
let min_int = - 4611686018427387903 - 1
let bool_of_string s = if s = "true" then true else if s = "false" then false else raise (Invalid_argument "bool_of_string")
let rec ( @ ) left right = match left with [] -> right | x :: rest -> x :: (rest @ right)

module Fun = struct
  let id x = x
  let const x _ = x
  let flip f x y = f y x
  let negate f x = not (f x)
  exception Finally_raised of exn
  let protect ~finally work =
    let finally () = try finally () with e -> raise (Finally_raised e) in
    match work () with
    | result -> finally (); result
    | exception e -> finally (); raise e
end

module Option = struct
  let none = None
  let some x = Some x
  let value o ~default = match o with Some x -> x | None -> default
  let get o = match o with Some x -> x | None -> raise (Invalid_argument "option is None")
  let bind o f = match o with Some x -> f x | None -> None
  let map f o = match o with Some x -> Some (f x) | None -> None
  let iter f o = match o with Some x -> f x | None -> ()
  let is_none o = match o with None -> true | Some _ -> false
  let is_some o = match o with None -> false | Some _ -> true
  let to_list o = match o with None -> [] | Some x -> [x]
  let join o = match o with Some inner -> inner | None -> None
  let fold ~none ~some o = match o with Some x -> some x | None -> none
  let equal same left right = match (left, right) with
    | (None, None) -> true
    | (Some x, Some y) -> same x y
    | _ -> false
end

module Int = struct
  let abs n = abs n
  let min (x : int) y = if x <= y then x else y
  let max (x : int) y = if x >= y then x else y
  let compare (x : int) y = compare x y
  let equal (x : int) y = x = y
  let to_string n = string_of_int n
end

module Bool = struct
  let not b = not b
  let equal (x : bool) y = x = y
  let to_string b = if b then "true" else "false"
end

type ('a, 'b) result = Ok of 'a | Error of 'b

module Result = struct
  let ok x = Ok x
  let error e = Error e
  let value r ~default = match r with Ok x -> x | Error _ -> default
  let get_ok r = match r with Ok x -> x | Error _ -> raise (Invalid_argument "result is Error _")
  let get_error r = match r with Error e -> e | Ok _ -> raise (Invalid_argument "result is Ok _")
  let bind r f = match r with Ok x -> f x | Error e -> Error e
  let map f r = match r with Ok x -> Ok (f x) | Error e -> Error e
  let map_error f r = match r with Ok x -> Ok x | Error e -> Error (f e)
  let is_ok r = match r with Ok _ -> true | Error _ -> false
  let is_error r = match r with Error _ -> true | Ok _ -> false
  let to_option r = match r with Ok x -> Some x | Error _ -> None
end

module List = struct
  let rec length l = match l with [] -> 0 | _ :: rest -> 1 + length rest
  let hd l = match l with [] -> raise (Failure "hd") | x :: _ -> x
  let tl l = match l with [] -> raise (Failure "tl") | _ :: rest -> rest
  let is_empty l = match l with [] -> true | _ -> false
  let cons x l = x :: l
  let nth l n =
    if n < 0 then raise (Invalid_argument "List.nth") else
    let rec at l n = match l with
      | [] -> raise (Failure "nth")
      | x :: rest -> if n = 0 then x else at rest (n - 1) in
    at l n
  let rec append left right = match left with [] -> right | x :: rest -> x :: append rest right
  let rec rev_append left right = match left with [] -> right | x :: rest -> rev_append rest (x :: right)
  let rev l = rev_append l []
  let init n f =
    if n < 0 then raise (Invalid_argument "List.init") else
    let rec from i = if i >= n then [] else let x = f i in x :: from (i + 1) in
    from 0
  let rec map f l = match l with [] -> [] | x :: rest -> let y = f x in y :: map f rest
  let mapi f l =
    let rec from i l = match l with [] -> [] | x :: rest -> let y = f i x in y :: from (i + 1) rest in
    from 0 l
  let rec iter f l = match l with [] -> () | x :: rest -> f x; iter f rest
  let iteri f l =
    let rec from i l = match l with [] -> () | x :: rest -> f i x; from (i + 1) rest in
    from 0 l
  let rec fold_left f acc l = match l with [] -> acc | x :: rest -> fold_left f (f acc x) rest
  let rec fold_right f l acc = match l with [] -> acc | x :: rest -> f x (fold_right f rest acc)
  let rec map2 f l1 l2 = match (l1, l2) with
    | ([], []) -> []
    | (x :: r1, y :: r2) -> let z = f x y in z :: map2 f r1 r2
    | _ -> raise (Invalid_argument "List.map2")
  let rec iter2 f l1 l2 = match (l1, l2) with
    | ([], []) -> ()
    | (x :: r1, y :: r2) -> f x y; iter2 f r1 r2
    | _ -> raise (Invalid_argument "List.iter2")
  let rec fold_left2 f acc l1 l2 = match (l1, l2) with
    | ([], []) -> acc
    | (x :: r1, y :: r2) -> fold_left2 f (f acc x y) r1 r2
    | _ -> raise (Invalid_argument "List.fold_left2")
  let rec for_all p l = match l with [] -> true | x :: rest -> p x && for_all p rest
  let rec exists p l = match l with [] -> false | x :: rest -> p x || exists p rest
  let rec mem x l = match l with [] -> false | y :: rest -> x = y || mem x rest
  let rec find p l = match l with [] -> raise Not_found | x :: rest -> if p x then x else find p rest
  let rec find_opt p l = match l with [] -> None | x :: rest -> if p x then Some x else find_opt p rest
  let rec filter p l = match l with
    | [] -> []
    | x :: rest -> if p x then x :: filter p rest else filter p rest
  let find_all = filter
  let partition p l =
    let rec part yes no l = match l with
      | [] -> (rev yes, rev no)
      | x :: rest -> if p x then part (x :: yes) no rest else part yes (x :: no) rest in
    part [] [] l
  let rec assoc k l = match l with [] -> raise Not_found | (a, b) :: rest -> if a = k then b else assoc k rest
  let rec assoc_opt k l = match l with [] -> None | (a, b) :: rest -> if a = k then Some b else assoc_opt k rest
  let rec mem_assoc k l = match l with [] -> false | (a, _) :: rest -> a = k || mem_assoc k rest
  let rec combine l1 l2 = match (l1, l2) with
    | ([], []) -> []
    | (x :: r1, y :: r2) -> (x, y) :: combine r1 r2
    | _ -> raise (Invalid_argument "List.combine")
  let rec split l = match l with
    | [] -> ([], [])
    | (x, y) :: rest -> let (xs, ys) = split rest in (x :: xs, y :: ys)
  let rec concat l = match l with [] -> [] | x :: rest -> append x (concat rest)
  let flatten = concat
  let rec filter_map f l = match l with
    | [] -> []
    | x :: rest -> (match f x with None -> filter_map f rest | Some y -> y :: filter_map f rest)
  let rec concat_map f l = match l with [] -> [] | x :: rest -> let first = f x in append first (concat_map f rest)
  let rev_map f l =
    let rec onto acc l = match l with [] -> acc | x :: rest -> onto (f x :: acc) rest in
    onto [] l
  let filteri p l =
    let rec from i l = match l with
      | [] -> []
      | x :: rest -> if p i x then x :: from (i + 1) rest else from (i + 1) rest in
    from 0 l
  let nth_opt l n =
    if n < 0 then raise (Invalid_argument "List.nth") else
    let rec at l n = match l with
      | [] -> None
      | x :: rest -> if n = 0 then Some x else at rest (n - 1) in
    at l n
  let rec remove_assoc k l = match l with
    | [] -> []
    | (a, b) :: rest -> if a = k then rest else (a, b) :: remove_assoc k rest
  let rec for_all2 p l1 l2 = match (l1, l2) with
    | ([], []) -> true
    | (x :: r1, y :: r2) -> p x y && for_all2 p r1 r2
    | _ -> raise (Invalid_argument "List.for_all2")
  let rec exists2 p l1 l2 = match (l1, l2) with
    | ([], []) -> false
    | (x :: r1, y :: r2) -> p x y || exists2 p r1 r2
    | _ -> raise (Invalid_argument "List.exists2")
  let rec fold_right2 f l1 l2 acc = match (l1, l2) with
    | ([], []) -> acc
    | (x :: r1, y :: r2) -> f x y (fold_right2 f r1 r2 acc)
    | _ -> raise (Invalid_argument "List.fold_right2")
  let rec equal same l1 l2 = match (l1, l2) with
    | ([], []) -> true
    | (x :: r1, y :: r2) -> same x y && equal same r1 r2
    | _ -> false
  let rec compare_lengths l1 l2 = match (l1, l2) with
    | ([], []) -> 0
    | ([], _) -> -1
    | (_, []) -> 1
    | (_ :: r1, _ :: r2) -> compare_lengths r1 r2
  let rec merge order l1 l2 = match (l1, l2) with
    | ([], l2) -> l2
    | (l1, []) -> l1
    | (x :: r1, y :: r2) -> if order x y <= 0 then x :: merge order r1 l2 else y :: merge order l1 r2

  (* Sorting compares what OCaml's own sorting compares, in the same order: halves are sorted, and merged from their ends.
     What is merged stands the other way round, so that one of the two directions calls the other. *)
  let stable_sort order l =
    let rec up l1 l2 acc = match (l1, l2) with
      | ([], l2) -> rev_append l2 acc
      | (l1, []) -> rev_append l1 acc
      | (x :: r1, y :: r2) -> if order x y <= 0 then up r1 l2 (x :: acc) else up l1 r2 (y :: acc) in
    let rec down l1 l2 acc = match (l1, l2) with
      | ([], l2) -> rev_append l2 acc
      | (l1, []) -> rev_append l1 acc
      | (x :: r1, y :: r2) -> if order x y > 0 then down r1 l2 (x :: acc) else down l1 r2 (y :: acc) in
    let three first a b c =
      if first (order a b) then
        if first (order b c) then [a; b; c]
        else if first (order a c) then [a; c; b]
        else [c; a; b]
      else if first (order a c) then [b; a; c]
      else if first (order b c) then [b; c; a]
      else [c; b; a] in
    let is_first c = c <= 0 and is_last c = c > 0 in
    let rec sorted n l = match l with
      | a :: b :: rest when n = 2 -> if order a b <= 0 then ([a; b], rest) else ([b; a], rest)
      | a :: b :: c :: rest when n = 3 -> (three is_first a b c, rest)
      | _ ->
        let (s1, l2) = reversed (n / 2) l in
        let (s2, rest) = reversed (n - n / 2) l2 in
        (down s1 s2 [], rest)
    and reversed n l = match l with
      | a :: b :: rest when n = 2 -> if order a b > 0 then ([a; b], rest) else ([b; a], rest)
      | a :: b :: c :: rest when n = 3 -> (three is_last a b c, rest)
      | _ ->
        let (s1, l2) = sorted (n / 2) l in
        let (s2, rest) = sorted (n - n / 2) l2 in
        (up s1 s2 [], rest) in
    let n = length l in
    if n < 2 then l else let (s, _) = sorted n l in s
  let sort = stable_sort
  let fast_sort = stable_sort
  let sort_uniq order l =
    let rec merged first l1 l2 acc = match (l1, l2) with
      | ([], l2) -> rev_append l2 acc
      | (l1, []) -> rev_append l1 acc
      | (x :: r1, y :: r2) ->
        let c = order x y in
        if c = 0 then merged first r1 r2 (x :: acc)
        else if first c then merged first r1 l2 (x :: acc)
        else merged first l1 r2 (y :: acc) in
    let two first a b same =
      let c = order a b in
      if c = 0 then same else if first c then [a; b] else [b; a] in
    let three first a b c =
      let ab = order a b in
      if ab = 0 then two first b c [b]
      else if first ab then
        let bc = order b c in
        if bc = 0 then [a; b] else if first bc then [a; b; c] else
        let ac = order a c in
        if ac = 0 then [a; b] else if first ac then [a; c; b] else [c; a; b]
      else
        let ac = order a c in
        if ac = 0 then [b; a] else if first ac then [b; a; c] else
        let bc = order b c in
        if bc = 0 then [b; a] else if first bc then [b; c; a] else [c; b; a] in
    let is_less c = c < 0 and is_more c = c > 0 in
    let rec sorted n l = match l with
      | a :: b :: rest when n = 2 -> (two is_less a b [a], rest)
      | a :: b :: c :: rest when n = 3 -> (three is_less a b c, rest)
      | _ ->
        let (s1, l2) = reversed (n / 2) l in
        let (s2, rest) = reversed (n - n / 2) l2 in
        (merged is_more s1 s2 [], rest)
    and reversed n l = match l with
      | a :: b :: rest when n = 2 -> (two is_more a b [a], rest)
      | a :: b :: c :: rest when n = 3 -> (three is_more a b c, rest)
      | _ ->
        let (s1, l2) = sorted (n / 2) l in
        let (s2, rest) = sorted (n - n / 2) l2 in
        (merged is_less s1 s2 [], rest) in
    let n = length l in
    if n < 2 then l else let (s, _) = sorted n l in s
end

module Array = struct
  let init n f =
    if n < 0 then raise (Invalid_argument "Array.init") else
    if n = 0 then [||] else
    let a = make n (f 0) in
    for i = 1 to n - 1 do set a i (f i) done;
    a
  let iter f a = for i = 0 to length a - 1 do f (get a i) done
  let iteri f a = for i = 0 to length a - 1 do f i (get a i) done
  let map f a = init (length a) (fun i -> f (get a i))
  let mapi f a = init (length a) (fun i -> f i (get a i))
  let fold_left f acc a =
    let rec from i acc = if i >= length a then acc else from (i + 1) (f acc (get a i)) in
    from 0 acc
  let copy a = init (length a) (fun i -> get a i)
  let fill a start count x =
    if start < 0 || count < 0 || start > length a - count then raise (Invalid_argument "Array.fill") else
    for i = start to start + count - 1 do set a i x done
  let to_list a =
    let rec from i acc = if i < 0 then acc else from (i - 1) (get a i :: acc) in
    from (length a - 1) []
  let make_matrix rows columns x =
    let m = make rows [||] in
    for i = 0 to rows - 1 do set m i (make columns x) done;
    m
  let of_list l = match l with
    | [] -> [||]
    | x :: rest ->
      let a = make (List.length l) x in
      let rec from i l = match l with [] -> a | y :: rest -> set a i y; from (i + 1) rest in
      from 1 rest
  let sub a start count =
    if start < 0 || count < 0 || start > length a - count then raise (Invalid_argument "Array.sub") else
    init count (fun i -> get a (start + i))
  let append a b =
    let n = length a in
    init (n + length b) (fun i -> if i < n then get a i else get b (i - n))
  let fold_right f a acc =
    let rec from i acc = if i < 0 then acc else from (i - 1) (f (get a i) acc) in
    from (length a - 1) acc
  let for_all p a =
    let rec from i = i >= length a || (p (get a i) && from (i + 1)) in
    from 0
  let exists p a =
    let rec from i = i < length a && (p (get a i) || from (i + 1)) in
    from 0
  let mem x a =
    let rec from i = i < length a && (x = get a i || from (i + 1)) in
    from 0
  let map2 f a b =
    if length a <> length b then raise (Invalid_argument "Array.map2: arrays must have the same length") else
    init (length a) (fun i -> f (get a i) (get b i))
  let iter2 f a b =
    if length a <> length b then raise (Invalid_argument "Array.iter2: arrays must have the same length") else
    for i = 0 to length a - 1 do f (get a i) (get b i) done
  let blit a from b onto count =
    if count < 0 || from < 0 || from > length a - count || onto < 0 || onto > length b - count
    then raise (Invalid_argument "Array.blit") else
    if from < onto then for i = count - 1 downto 0 do set b (onto + i) (get a (from + i)) done
    else for i = 0 to count - 1 do set b (onto + i) (get a (from + i)) done

  (* A heap, as OCaml's own sorting has it: the same elements are compared in the same order. *)
  exception Bottom of int
  let sort order a =
    let larger_son l i =
      let son = i + i + i + 1 in
      let x = ref son in
      if son + 2 < l then begin
        if order (get a son) (get a (son + 1)) < 0 then x := son + 1;
        if order (get a !x) (get a (son + 2)) < 0 then x := son + 2;
        !x
      end else
        if son + 1 < l && order (get a son) (get a (son + 1)) < 0 then son + 1
        else if son < l then son else raise (Bottom i) in
    let rec trickle_down l i e =
      let j = larger_son l i in
      if order (get a j) e > 0 then begin set a i (get a j); trickle_down l j e end
      else set a i e in
    let trickle l i e = try trickle_down l i e with Bottom i -> set a i e in
    let rec bubble_down l i =
      let j = larger_son l i in
      set a i (get a j); bubble_down l j in
    let bubble l i = try bubble_down l i with Bottom i -> i in
    let rec trickle_up i e =
      let father = (i - 1) / 3 in
      if order (get a father) e < 0 then begin
        set a i (get a father);
        if father > 0 then trickle_up father e else set a 0 e
      end else set a i e in
    let l = length a in
    for i = (l + 1) / 3 - 1 downto 0 do trickle l i (get a i) done;
    for i = l - 1 downto 2 do
      let e = get a i in
      set a i (get a 0);
      trickle_up (bubble i 0) e
    done;
    if l > 1 then begin let e = get a 1 in set a 1 (get a 0); set a 0 e end
end

module String = struct
  let equal (x : string) y = x = y
  let concat between l = match l with
    | [] -> ""
    | first :: rest -> List.fold_left (fun acc each -> acc ^ between ^ each) first rest
end
