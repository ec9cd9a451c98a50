"""Ranges: what numbers and elements of arrays lie between, computed forward from the facts, without a search."""
