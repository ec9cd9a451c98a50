(set-logic HORN)
(declare-function p (Int) Bool)
