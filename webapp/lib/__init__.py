"""Clock and identifiers: what every room may use, and tests may hold. Imports nothing of Flint."""
