"""The official archives of GeoQA and UniGeo: read without trust, written as parquet."""
