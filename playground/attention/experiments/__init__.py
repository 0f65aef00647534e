"""Small experiments that ask why attention is built as it is: one file each, seeded, NumPy only."""
