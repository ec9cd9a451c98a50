(declare-fun p (Int) Bool)
(assert (forall ((x Int)) (=> (p x) (p x x))))
