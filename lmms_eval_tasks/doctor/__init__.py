"""``lmms-eval-tasks doctor``: whether everything is there that a run needs, and what to do."""
