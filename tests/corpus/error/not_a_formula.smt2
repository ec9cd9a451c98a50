(declare-fun p (Int) Bool)
(assert (forall ((x Int)) (+ x 1)))
