"""Claims in, verdicts out: evidence against the original question. Knows no method, no engine, no transformation."""
