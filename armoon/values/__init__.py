"""The frozen values passed between packages."""

import dataclasses
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dataclasses import replace as replace
else:

    def replace(value, /, **changes):
        """Copy like ``dataclasses.replace``, but without calling ``__init__``, which took most of an event's time."""
        fields = value.__dataclass_fields__.keys()
        if hasattr(value, "__post_init__") or vars(value).keys() != fields or not changes.keys() <= fields:
            return dataclasses.replace(value, **changes)
        copy = object.__new__(type(value))
        vars(copy).update(vars(value), **changes)
        return copy
