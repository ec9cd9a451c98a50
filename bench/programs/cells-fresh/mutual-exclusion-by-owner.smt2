; A lock that names its owner: whoever is inside is the owner, so no two processes are.
(set-logic HORN)
; the owner, -1 for none, and whether a process is inside
(declare-fun lock (Int (Array Int Int)) Bool)
(assert (lock (- 1) ((as const (Array Int Int)) 0)))
(assert (forall ((o Int) (s (Array Int Int)) (p Int))
  (=> (and (lock o s) (= o (- 1)) (<= 0 p)) (lock p s))))
(assert (forall ((o Int) (s (Array Int Int)) (p Int))
  (=> (and (lock o s) (= o p) (<= 0 p)) (lock o (store s p 1)))))
(assert (forall ((o Int) (s (Array Int Int)) (p Int))
  (=> (and (lock o s) (= (select s p) 1)) (lock (- 1) (store s p 0)))))
(assert (forall ((o Int) (s (Array Int Int)) (p Int) (q Int))
  (=> (and (lock o s) (distinct p q) (= (select s p) 1) (= (select s q) 1)) false)))
(check-sat)
