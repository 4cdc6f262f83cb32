"""The drawn pictures of the WorldBench sample, one function each."""
