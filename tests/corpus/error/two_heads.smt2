(set-logic HORN)
(declare-fun fib (Int Int) Bool)
(declare-fun aux (Int) Bool)
(assert (forall ((x Int) (y Int)) (or (fib x y) (aux x))))
