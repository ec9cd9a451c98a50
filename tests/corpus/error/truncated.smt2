(declare-fun p (Int) Bool)
(assert (p 0))
  (assert (forall ((x Int)) (=> (p x)
