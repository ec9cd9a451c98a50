; One file, two questions.
(declare-fun p (Int) Bool)
(check-sat)
(assert (p 1))
