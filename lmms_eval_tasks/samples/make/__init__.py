"""Makes the embedded samples: ``python -m lmms_eval_tasks.samples.make [--out FOLDER]``."""
