(declare-fun p (Int) Bool)
(assert (p 0)))
(check-sat)
