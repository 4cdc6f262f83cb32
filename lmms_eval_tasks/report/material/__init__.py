"""What a report shows of a task: facts, panels, samples and pictures."""
