"""WorldBench: hard image questions in seven visual domains."""
