; (x, y) becomes (x - 1, x) or (y - 2, x + 1) while both are positive. No lexicographic linear rank exists; the closure
; lies within three ranks (Podelski and Rybalchenko, Transition Invariants, program CHOICE).
(set-logic HORN)
(declare-fun steps (Int Int Int Int) Bool)
(assert (forall ((x Int) (y Int)) (=> (and (> x 0) (> y 0)) (steps x y (- x 1) x))))
(assert (forall ((x Int) (y Int)) (=> (and (> x 0) (> y 0)) (steps x y (- y 2) (+ x 1)))))
(assert (forall ((x Int) (y Int) (x1 Int) (y1 Int))
  (=> (and (steps x y x1 y1) (> x1 0) (> y1 0)) (steps x y (- x1 1) x1))))
(assert (forall ((x Int) (y Int) (x1 Int) (y1 Int))
  (=> (and (steps x y x1 y1) (> x1 0) (> y1 0)) (steps x y (- y1 2) (+ x1 1)))))
(dwf loop ((x Int) (y Int)) ((x1 Int) (y1 Int)) (steps x y x1 y1))
(check-sat)
