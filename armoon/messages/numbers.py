"""Numbers, lengths and rows of names as the language writes them."""

from __future__ import annotations

from collections.abc import Sequence

from armoon.messages import language, text


def number(value: float, digits: int = 0) -> str:
    """Return a number with this many decimals after the language's sign for them: "18.7", "18,7"."""
    return f"{value:.{digits}f}".replace(".", _point())


def brief(value: float) -> str:
    """Format a number with no more decimals than it needs: "30", "2.5", "2,5"."""
    return f"{value:g}".replace(".", _point())


def centimetres(metres: float, digits: int = 1) -> str:
    """Return a length as players read lengths: "18.7 cm"."""
    return text("unit.cm", value=number(100.0 * metres, digits))


def apart(first_m: float, second_m: float) -> tuple[str, str]:
    """Two lengths to be compared, with a decimal more where they would read alike."""
    read = centimetres(first_m), centimetres(second_m)
    return read if read[0] != read[1] else (centimetres(first_m, 2), centimetres(second_m, 2))


def ordinal(count: int) -> str:
    """Return a place in a row: "2nd", "11th", "2e"."""
    if language() == "fr":
        return "1re" if count == 1 else f"{count}e"
    ending = "th" if count % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(count % 10, "th")
    return f"{count}{ending}"


def enumerated(names: Sequence[str]) -> str:
    """Names in a row: "Ann", "Ann and Ben", "Ann, Ben and Cleo"."""
    if len(names) < 2:
        return "".join(names)
    return text("list.last", first=", ".join(names[:-1]), last=names[-1])


def _point() -> str:
    return text("unit.point")
