(declare-fun p (Int) Bool)
(declare-const limit Int)
(assert (p 0))
(assert (forall ((x Int)) (=> (and (p x) (> x limit)) false)))
