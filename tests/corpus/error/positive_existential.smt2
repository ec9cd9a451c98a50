(declare-fun p (Int) Bool)
(assert (exists ((x Int)) (p x)))
