"""A run as one HTML file: numbers with their intervals, what to mind, charts, and every sample."""
