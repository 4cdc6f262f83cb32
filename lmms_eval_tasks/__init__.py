"""WorldQA, WorldBench and GeoQA as tasks of lmms-eval."""

__version__ = "0.1.0"
