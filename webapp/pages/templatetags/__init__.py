"""Filters for every template."""
