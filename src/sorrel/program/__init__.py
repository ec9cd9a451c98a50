"""Programs as plain data: typed procedures made of blocks, free of any solver and of any source language."""
