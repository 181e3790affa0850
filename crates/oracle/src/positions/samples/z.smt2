(declare-const p Bool)
(assert (and p missing))
(check-sat)
