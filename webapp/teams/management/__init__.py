"""Commands of the teams room."""
