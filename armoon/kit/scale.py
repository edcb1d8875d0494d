"""How large a kit was really printed: by a ruler on its 100 mm line, or by a bank card laid along it."""

from __future__ import annotations

import math

from armoon.errors import SettingsError
from armoon.values.habits import LARGEST_KIT_MM, SMALLEST_KIT_MM

#: The long edge of every bank card (ISO/IEC 7810, ID-1), millimetres; it is made to a quarter of a percent.
BANK_CARD_MM = 85.6


def measured_mm(line_mm: float | None, bank_card_at: float | None) -> float:
    """Return what the line of 100 mm measures: told directly, or by where on it a bank card from 0 ends.

    Raises SettingsError for a length that can't be, or for both or neither of them.
    """
    if (line_mm is None) == (bank_card_at is None):
        raise SettingsError(
            "The kit's 100 mm line is measured either by a ruler or by a bank card.",
            remedy="Give one of --measured and --bank-card.",
        )
    if line_mm is None:
        assert bank_card_at is not None
        line_mm = 100.0 * BANK_CARD_MM / bank_card_at if bank_card_at > 0.0 else math.nan
    if not SMALLEST_KIT_MM <= line_mm <= LARGEST_KIT_MM:
        raise SettingsError(
            f"The kit's line of 100 mm is said to measure {line_mm:.1f} mm.",
            remedy="Print at 100 % (actual size, not 'fit to page') and measure in mm from 0 to 100.",
        )
    return line_mm
