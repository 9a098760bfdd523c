"""The clock, which tests may hold, and identifiers, for every room. Imports nothing of Flint."""
