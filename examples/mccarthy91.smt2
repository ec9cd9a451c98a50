; McCarthy's 91 function, as two Horn clauses and the property that gave it its name.
(set-logic HORN)
(declare-fun mc91 (Int Int) Bool)

(assert (forall ((n Int) (r Int))
  (=> (and (> n 100) (= r (- n 10)))
      (mc91 n r))))

(assert (forall ((n Int) (inner Int) (r Int))
  (=> (and (<= n 100) (mc91 (+ n 11) inner) (mc91 inner r))
      (mc91 n r))))

(assert (forall ((n Int) (r Int))
  (=> (and (mc91 n r) (<= n 101))
      (= r 91))))

(check-sat)
