; Test and set in two steps, which others may come between: two processes hold the lock.
(set-logic HORN)
; whether the lock is taken; a process does nothing, has found it free, or holds it
(declare-fun lock (Int (Array Int Int)) Bool)
(assert (lock 0 ((as const (Array Int Int)) 0)))
(assert (forall ((l Int) (s (Array Int Int)) (p Int))
  (=> (and (lock l s) (= l 0) (= (select s p) 0)) (lock l (store s p 1)))))
(assert (forall ((l Int) (s (Array Int Int)) (p Int))
  (=> (and (lock l s) (= (select s p) 1)) (lock 1 (store s p 2)))))
(assert (forall ((l Int) (s (Array Int Int)) (p Int) (q Int))
  (=> (and (lock l s) (distinct p q) (= (select s p) 2) (= (select s q) 2)) false)))
(check-sat)
