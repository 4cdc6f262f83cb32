"""Machinery that the benchmarks of lmms_eval_tasks share; imports no harness, torch or datasets."""
