"""The language of GeoQA programs; standard library only."""
