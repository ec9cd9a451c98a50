; A list with parameters, of which one instance is used; match takes it apart.
(set-logic HORN)
(declare-datatypes ((List 1)) ((par (T) ((nil) (cons (head T) (tail (List T)))))))
(declare-fun stack ((List Int)) Bool)
(assert (stack (as nil (List Int))))
(assert (forall ((s (List Int)) (n Int)) (=> (and (stack s) (= n 7)) (stack (cons n s)))))
(assert (forall ((s (List Int))) (=> (and (stack s) (match s ((nil false) ((cons h t) (= h 7))))) false)))
(check-sat)
