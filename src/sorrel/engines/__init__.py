"""Horn systems to verdicts. An engine is one folder or module, one line in the registry and one page of docs."""
