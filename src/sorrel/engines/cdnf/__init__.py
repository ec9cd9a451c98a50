"""Summaries of finite functions, learned by membership and equivalence queries (Chen, Wang and Yang)."""
