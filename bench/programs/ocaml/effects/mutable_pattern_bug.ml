type account = { mutable balance : int; limit : int }

let withdraw { balance; limit } account amount =
  if amount >= 0 && balance - amount >= - limit then account.balance <- account.balance - amount

let main balance limit first second =
  if limit >= 0 && balance >= - limit then begin
    let account = { balance; limit } in
    let early = withdraw account in
    early account first;
    early account second;
    match account with { balance; limit } -> assert (balance + limit >= 0)
  end
