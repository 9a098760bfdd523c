"""Filters and tags of the team's pages."""
