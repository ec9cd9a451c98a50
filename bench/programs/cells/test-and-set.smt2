; Processes take a lock by test and set: no two hold it.
(set-logic HORN)
; whether the lock is taken, and whether a process holds it
(declare-fun lock (Int (Array Int Int)) Bool)
(assert (lock 0 ((as const (Array Int Int)) 0)))
(assert (forall ((l Int) (s (Array Int Int)) (p Int))
  (=> (and (lock l s) (= l 0) (= (select s p) 0)) (lock 1 (store s p 1)))))
(assert (forall ((l Int) (s (Array Int Int)) (p Int))
  (=> (and (lock l s) (= (select s p) 1)) (lock 0 (store s p 0)))))
(assert (forall ((l Int) (s (Array Int Int)) (p Int) (q Int))
  (=> (and (lock l s) (distinct p q) (= (select s p) 1) (= (select s q) 1)) false)))
(check-sat)
