(define-fun-rec f ((x Int)) Int (ite (> x 0) (f (- x 1)) 0))
