"""A measurement as a sequence of requests: the present one, and the observations during each."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Generic, Protocol, TypeVar

#: A longer frame counts as this long: no step is jumped over.
LONGEST_FRAME_S = 1.0

Asked = TypeVar("Asked", bound=enum.Enum)
Measured = TypeVar("Measured", bound="Measurement[Any, Any]")


class Sight(Protocol):
    """A frame of who is measured."""

    @property
    def seconds(self) -> float:
        """Time since the frame before, seconds."""

    @property
    def there(self) -> bool:
        """Something is seen that can be measured."""


Seen = TypeVar("Seen", bound=Sight)


def spans_of(step_s: Mapping[Asked, float]) -> dict[Asked, tuple[float, float]]:
    """When each request begins and ends, by how long each takes."""
    spans, begin_s = {}, 0.0
    for step, long_s in step_s.items():
        spans[step] = (begin_s, begin_s + long_s)
        begin_s += long_s
    return spans


@dataclass(frozen=True)
class Measurement(Generic[Asked, Seen]):
    """The progress of a measurement; only time with something in view counts."""

    spans: ClassVar[Mapping[Any, tuple[float, float]]]
    """When each request begins and ends."""
    finished: ClassVar[Any]
    """What stands for a request once all are answered."""

    seconds: float = 0.0
    # By its seconds alone a state is told from the one before: hundreds of frames needn't be hashed with it.
    seen: tuple[tuple[float, Seen], ...] = field(default=(), hash=False)
    """Every seen frame, with its time."""
    missing: bool = True
    """Nothing is in view now."""

    def after(self: Measured, seen: Seen) -> Measured:
        """Return a frame later."""
        if self.done:
            return self
        if not seen.there:
            return replace(self, missing=True)
        seconds = self.seconds + min(seen.seconds, LONGEST_FRAME_S)
        return replace(self, seconds=seconds, seen=(*self.seen, (self.seconds, seen)), missing=False)

    @property
    def step(self) -> Asked:
        """The request of now."""
        asked: Asked = next(
            (step for step, (_, end_s) in self.spans.items() if self.seconds < end_s), self.finished
        )
        return asked

    @property
    def done(self) -> bool:
        """Everything was asked for."""
        return self.step is self.finished

    @property
    def left_s(self) -> float:
        """Time until the step is over, seconds."""
        return 0.0 if self.done else self.spans[self.step][1] - self.seconds

    def during(self, step: Asked, heard_s: float) -> list[tuple[float, Seen]]:
        """Return what was seen in a step with its times, without its first ``heard_s`` of hearing or reading."""
        begin_s, end_s = self.spans[step]
        return [one for one in self.seen if begin_s + heard_s <= one[0] < end_s]
