"""Small data sets of our own in the real schemas, and the script that makes them."""
