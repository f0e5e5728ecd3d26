"""What makes no sense, or cannot be done, with its parts as fields."""
from __future__ import annotations

from collections import namedtuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Optional, Sequence


class Place(namedtuple("Place", "source line column excerpt")):
    """Where something is wrong in a text: a spec, a file, a size."""

    __slots__ = ()

    #: What the text is: the name of a file, "topology"; None of a short text that is an argument itself.
    source: Optional[str]
    #: Its line, counted from 1, or None.
    line: Optional[int]
    #: The column in that line, counted from 1, or None.
    column: Optional[int]
    #: The line, and marks below what is wrong in it.
    excerpt: str


class InputError(ValueError):
    """What makes no sense, or cannot be done: says what was given and what is allowed, in the words of the program `quadrille`.

    argument: which argument is refused ("switching"), None if it is no single one. given: what was given for it, as text, or None.
    allowed: what would be, as far as that is a list of words. where: a Place in a text, or None. str() is all of it as a sentence.
    """

    def __init__(
        self,
        message: str,
        *,
        argument: Optional[str] = None,
        given: Optional[str] = None,
        allowed: Sequence[str] = (),
        where: Optional[Place] = None,
    ):
        super().__init__(message)
        self.argument = argument
        self.given = given
        self.allowed = list(allowed)
        self.where = where


def refused(argument: str, has: str, given: object, allowed: str) -> InputError:
    """An argument that has something else than is allowed: "counts are float64; wanted are whole numbers"."""
    return InputError(
        f"{argument} {has} {given}; allowed: {allowed}", argument=argument, given=str(given), allowed=[allowed]
    )
