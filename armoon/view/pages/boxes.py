"""Rectangles of a page in pixels: a widget's, and those of a choice's parts in it."""

from __future__ import annotations

from dataclasses import dataclass

from armoon.values.page import Widget

#: Padding inside a widget, in parts of its height.
PADDING = 0.32


@dataclass(frozen=True)
class Box:
    """A rectangle in pixels from the lower left of the page."""

    x: float
    y: float
    width: float
    height: float

    @property
    def middle(self) -> tuple[float, float]:
        """Its centre."""
        return (self.x + self.width / 2.0, self.y + self.height / 2.0)

    def inside(self, most: float = float("inf")) -> Box:
        """Return the room for words, with at most this much left free at either side."""
        pad = min(self.height * PADDING, self.width * 0.12, most)
        return Box(self.x + pad, self.y, self.width - 2.0 * pad, self.height)


@dataclass(frozen=True)
class ChoiceBoxes:
    """The label, the value, and the arrows' middles and radius."""

    label: Box
    value: Box
    less: tuple[float, float]
    more: tuple[float, float]
    radius: float


def choice_boxes(widget: Widget, box: Box, label_height: float) -> ChoiceBoxes:
    """Label, less, value and more in a row; or the label, so high where it stands alone, above the other three."""
    less_from, less_to, more_from = widget.arrows
    pad, low = box.height * PADDING, box
    label = Box(box.x + pad, box.y, box.width * less_from - 1.4 * pad, box.height)
    if widget.stacked:
        above = min(label_height * 1.25, box.height * 0.7)
        pad = box.width * 0.03
        label = Box(box.x + pad, box.y + box.height - above, box.width - 2.0 * pad, above)
        low = Box(box.x, box.y, box.width, box.height - above)
    radius = min(low.height * 0.36, box.width * (less_to - less_from) * 0.5)
    left, right = box.x + box.width * less_to, box.x + box.width * more_from
    room = 0.0 if widget.stacked else 0.2 * pad
    value = Box(left + room, low.y, right - left - 2.0 * room, low.height)
    y = low.middle[1]
    less = (box.x + box.width * (less_from + less_to) / 2.0, y)
    more = (box.x + box.width * ((more_from + 1.0) / 2.0 - 0.004), y)
    return ChoiceBoxes(label, value, less, more, radius)
