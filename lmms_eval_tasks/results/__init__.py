"""Reading what a run of lmms-eval left behind: its results file and its logged samples."""
