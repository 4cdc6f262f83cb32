"""Questions put to a judge, and the verdicts that come back."""
