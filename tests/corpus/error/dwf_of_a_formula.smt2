(declare-fun t (Int Int) Bool)
(assert (t 1 0))
(dwf d ((x Int)) ((y Int)) (> x y))
