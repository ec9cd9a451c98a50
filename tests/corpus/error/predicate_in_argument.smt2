(declare-fun p (Bool) Bool)
(declare-fun q () Bool)
(assert (=> (p q) false))
