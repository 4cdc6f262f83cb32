"""Models the pack registers in lmms-eval: `replay` and `chance`."""
