"""Runs beside each other: paired differences by question, and what forbids to take them."""
