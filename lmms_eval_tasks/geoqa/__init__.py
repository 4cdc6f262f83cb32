"""GeoQA: geometry problems answered by a program that our interpreter executes."""
