"""What a run will cost, said before it: the command ``lmms-eval-tasks plan``."""
