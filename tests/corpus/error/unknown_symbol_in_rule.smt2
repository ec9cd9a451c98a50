(declare-rel p (Int))
(declare-var x Int)
   (rule   (=> (and (p x) (> x 0))
       (p (+ x unheard)))   named)
