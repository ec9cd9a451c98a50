"""CLOVER: unbounded procedure summaries from bounded environments (Pick, Fedyukovich, Gupta); docs/engines/clover.md."""
