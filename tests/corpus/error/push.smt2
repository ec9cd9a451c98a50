(declare-fun p (Int) Bool)
(push 1)
(assert (p 0))
(pop 1)
