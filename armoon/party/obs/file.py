"""The file of rules for OBS, and the password, which is never in it."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from pathlib import Path

from armoon.codec import MalformedError, convert
from armoon.codec.files import read_bytes
from armoon.codec.wording import quoted
from armoon.errors import ArmoonError
from armoon.messages import text
from armoon.party.obs.rules import Rules

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

#: Where the password is looked for: in the environment, then in the system's keyring under these names.
VARIABLE, SERVICE, ACCOUNT = "ARMOON_OBS_PASSWORD", "armoon", "obs"
LARGEST_BYTES = 64 * 1024
_SECRETS = ("password", "secret", "token", "key")


@dataclass(frozen=True)
class ObsAt:
    """OBS, and what is to be asked of it."""

    rules: Rules
    password: str = ""


def obs_by(path: Path) -> ObsAt:
    """Read the file's rules, with the password from where it is kept. Raises ArmoonError."""
    return ObsAt(read_rules(path), find_password())


def read_rules(path: Path) -> Rules:
    """Return the rules in a file. Raises ArmoonError."""
    try:
        plain = tomllib.loads(read_bytes(path, LARGEST_BYTES).decode())
        if any(name in plain for name in _SECRETS):
            raise ArmoonError(text("obs.secret", path=path), remedy=text("obs.secret_remedy", name=VARIABLE))
        rules: Rules = convert(Rules, plain, exact=True)
    except (OSError, ValueError, RecursionError, MalformedError) as error:
        why = quoted(getattr(error, "strerror", None) or str(error))
        raise ArmoonError(text("obs.broken", path=path, why=why), remedy=text("obs.broken_remedy")) from error
    return rules


def find_password() -> str:
    """OBS's password: from the environment, else the system's keyring; empty where there is none."""
    if given := os.environ.get(VARIABLE):
        return given
    import keyring
    import keyring.errors

    try:
        kept: str | None = keyring.get_password(SERVICE, ACCOUNT)
    except keyring.errors.KeyringError:
        return ""
    return kept or ""
