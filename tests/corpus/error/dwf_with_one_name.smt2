(declare-fun t (Int Int) Bool)
(dwf d ((x Int)) ((x Int)) (t x x))
