"""The tests of the pack, laid out like its sources."""
