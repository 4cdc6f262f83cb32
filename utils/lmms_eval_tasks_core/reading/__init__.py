"""Reading the option that a model chose out of what it wrote."""
