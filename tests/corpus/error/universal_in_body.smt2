(declare-fun p (Int) Bool)
(declare-fun q () Bool)
(assert (=> (forall ((x Int)) (p x)) q))
