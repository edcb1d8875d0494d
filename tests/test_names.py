"""Names are stored as typed and the same everywhere, and no two at a table look alike."""

from __future__ import annotations

import re
import unicodedata
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.names_kit import NAMES

from armoon.options.kinds import Names
from armoon.party.votes import Ballots
from armoon.saves.profiles import Profile
from armoon.screens.form import make_form
from armoon.screens.pages.players import type_letter
from armoon.screens.state import PageName, Screens
from armoon.values import names
from armoon.values.choices import SeatName
from armoon.values.text import escape_text


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_a_name_is_the_same_at_the_table_in_forms_profiles_and_on_phones(
    name: str, form: Literal["NFC", "NFD"]
) -> None:
    written = unicodedata.normalize(form, name)
    assert Names().read([written]) == (name,)
    assert make_form(("Ann",), "moon", {}, SeatName.MIRROR).rename_player(0, written).players[0].name == name
    assert Profile(name).name == name
    assert Ballots().join("phone", written, "Guest").name == name
    assert escape_text(name) == name
    screens = Screens(form=make_form(("Ann",), "moon", {}, SeatName.MIRROR), page=PageName.NAME)
    for letter in written:
        screens, _ = type_letter(screens, letter)
    assert screens.typed == name


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ann", "\u0410nn"),
        ("Ann", "ann"),
        ("Ann", "\uff21nn"),
        ("Ann", "A nn"),
        ("Ann", "Ann."),
        ("Ben", "\u0392en"),
        ("Leo", "Le0"),
        ("Ilse", "llse"),
        ("Ilse", "1lse"),
        *(
            ("Ann", f"Ann{unseen}")
            for unseen in ("\u034f", "\u3164", "\ufe0f", "\U000e0100", "\u17b4", "\u200d")
        ),
        *(("Leo", "\u13deeo"), ("Cleo", "\u2ca4leo"), ("Yves", "\u04aeves"), ("Oz", "\u0555z")),
        *(("O\u2019Brien", "O\u00b4Brien"), ("D\u2018Angelo", "D'Angelo"), ("Ana-Lu", "Ana\u2013Lu")),
        ("Marno", "Mamo"),
        ("Max", "M\u0430\u0445"),
        ("Sam", "\u0405am"),
        ("\u0639\u0644\u06cc\u0631\u0636\u0627", "\u0639\u0644\u06cc\u200c\u0631\u0636\u0627"),
    ],
)
def test_names_that_look_alike_are_refused(one: str, other: str) -> None:
    assert not names.are_distinct([one, other])
    with pytest.raises(ValueError, match=re.escape(repr(other))):
        Names().read([one, other])
    form = make_form((one, "Q"), "moon", {}, SeatName.MIRROR)
    assert form.rename_player(1, other) == form
    assert not names.look_alike(one, names.make_unique_name(other, [one]))


@pytest.mark.parametrize(
    "both", [("Zoe", "Zo\u00e9"), ("Ann", "Anna"), ("Ian", "Lan"), ("Ann", "Ann 2"), ("Jo", "Joe")]
)
def test_names_that_differ_are_accepted_at_one_table(both: tuple[str, str]) -> None:
    assert Names().read(both) == both


@given(st.text(max_size=60))
def test_a_tidied_name_stays_unchanged_and_is_short(typed: str) -> None:
    name = names.tidy_name(typed)
    assert names.tidy_name(name) == names.tidy_name(f"{name}\u3164\ufe0f\U000e0100") == name
    assert len(name) <= names.LONGEST_NAME
    assert not name or names.is_name(name)
