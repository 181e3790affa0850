"""Measures reducers: makes cases, reduces them by several tools with one counter of tests, and prints tables."""
