"""How good a judge is: it grades answers whose grades are known, and the two are compared."""
