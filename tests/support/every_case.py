"""A check over many keys, files or values is one test, which names every one that fails."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable
from typing import Any

import pytest

Test = Callable[..., None]
#: Length of a case's values in the message, in letters.
NAME_LENGTH = 60


def every_case(names: str, cases: Iterable[Any]) -> Callable[[Test], Test]:
    """Make a test of one case one of them all, as ``parametrize`` makes many; it reports the cases that fail.

    The cases share their fixtures, so a folder must not matter to the next. Slow or drawing tests stay many.
    """
    asked = [name.strip() for name in names.split(",")]
    values = [case if len(asked) > 1 else (case,) for case in cases]

    def decorate(test: Test) -> Test:
        @functools.wraps(test)
        def whole(**fixtures: Any) -> None:
            failures = []
            for case in values:
                try:
                    test(**dict(zip(asked, case, strict=True)), **fixtures)
                except (Exception, pytest.fail.Exception) as error:
                    named = ", ".join(f"{getattr(value, 'name', value)}"[:NAME_LENGTH] for value in case)
                    failures.append(f"{named}: {type(error).__name__}: {error}")
            assert values, "there are no cases"
            assert not failures, f"{len(failures)} of {len(values)} fail\n" + "\n".join(failures)

        signature = inspect.signature(test)
        rest = [parameter for name, parameter in signature.parameters.items() if name not in asked]
        whole.__signature__ = signature.replace(parameters=rest)  # type: ignore[attr-defined]
        return whole

    return decorate
