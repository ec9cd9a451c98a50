"""CLOVER: unbounded summaries from bounded environments (Pick, Fedyukovich, Gupta; docs/engines/clover.md)."""
