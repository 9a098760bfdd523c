"""Which edits must not happen without a person's word. Pure."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Rules:
    """What a session lets a turn do unasked.

    A turn asks before it takes more than `most_lines` lines and more than `most_share` of a file
    out without writing as much, before it touches a path that one of the `protected` globs
    matches, and, with `asks_for_files`, before it deletes or moves a file.
    """

    protected: tuple[str, ...] = ()
    most_lines: int = 60
    most_share: float = 0.5
    asks_for_files: bool = True
