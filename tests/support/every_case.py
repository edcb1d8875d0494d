"""One test for many keys, files or values, which reports every failure."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable
from typing import Any

import pytest

Test = Callable[..., None]
#: Maximum length of a value in the message, in characters.
NAME_LENGTH = 60


def every_case(names: str, cases: Iterable[Any]) -> Callable[[Test], Test]:
    """Turn a test of one case into a single test of all cases, which reports every failure.

    The cases share fixtures, such as a folder. Use ``parametrize`` for tests that are slow or render pictures.
    """
    case_names = [name.strip() for name in names.split(",")]
    values = [case if len(case_names) > 1 else (case,) for case in cases]

    def decorate(test: Test) -> Test:
        @functools.wraps(test)
        def run_cases(**fixtures: Any) -> None:
            failures = []
            for case in values:
                try:
                    test(**dict(zip(case_names, case, strict=True)), **fixtures)
                except (Exception, pytest.fail.Exception) as error:
                    named = ", ".join(f"{getattr(value, 'name', value)}"[:NAME_LENGTH] for value in case)
                    failures.append(f"{named}: {type(error).__name__}: {error}")
            assert values, "there are no cases"
            assert not failures, f"{len(failures)} of {len(values)} fail\n" + "\n".join(failures)

        signature = inspect.signature(test)
        rest = [parameter for name, parameter in signature.parameters.items() if name not in case_names]
        run_cases.__signature__ = signature.replace(parameters=rest)  # type: ignore[attr-defined]
        return run_cases

    return decorate
