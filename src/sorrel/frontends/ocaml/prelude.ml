(* What programs may use of OCaml's standard library, written in OCaml: definitions that nobody uses cost nothing. *)
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
end

module Option = struct
  let none = None
  let some x = Some x
  let value o default = match o with Some x -> x | None -> default
  let get o = match o with Some x -> x | None -> raise (Invalid_argument "option is None")
  let bind o f = match o with Some x -> f x | None -> None
  let map f o = match o with Some x -> Some (f x) | None -> None
  let iter f o = match o with Some x -> f x | None -> ()
  let is_none o = match o with None -> true | Some _ -> false
  let is_some o = match o with None -> false | Some _ -> true
  let to_list o = match o with None -> [] | Some x -> [x]
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
end
