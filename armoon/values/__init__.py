"""The frozen values passed between packages."""

import dataclasses
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dataclasses import replace as replace
else:

    def replace(value, /, **changes):
        """Do what ``dataclasses.replace`` does, without calling ``__init__``, which took most of an event's time."""
        known = value.__dataclass_fields__.keys()
        if hasattr(value, "__post_init__") or vars(value).keys() != known or not changes.keys() <= known:
            return dataclasses.replace(value, **changes)
        made = object.__new__(type(value))
        vars(made).update(vars(value), **changes)
        return made
