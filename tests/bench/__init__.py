"""Benchmarks: `make bench` prints one JSON object a line, medians and ratios within one run.

Machines differ and are shared, so a figure means something only beside the bare relay of the same
run: the least that a server in the middle can do (bare.py).
"""
