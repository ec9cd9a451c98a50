(set-logic HORN)
  hello
(check-sat)
