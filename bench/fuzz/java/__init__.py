"""Random Java methods: the front end against a real machine, and answers about laws against what the machine does."""
