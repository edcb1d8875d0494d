"""Refusals of the command line are in the player's language."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest
from support.command_line import run
from support.every_case import every_case

from armoon.messages import LANGUAGES, catalogue
from armoon.settings.files import settings_path

BOARD = '{"name": "", "dictionary": "", "columns": 9, "rows": 9, "square_m": 0.03, "marker_m": 0.02}'
FILES = {
    "a.txt": "a",
    "a.armoon": "a",
    "a.json": "{}",
    "log": "{}",
    "old": '{"kind": "header"}',
    "b.json": BOARD,
}
COMMANDS = """replay none | replay log | replay old | replay . | replay old --verify | film none a.mp4 | review none
clips none | games show none | games resume none | games export none a.json | games export none a.txt
games show a.armoon | play --resume none | play --resume a.armoon | play --camera none.mp4 --headless
play --camera a.txt --headless | play --camera . --headless | play --camera 77 --headless | play --now --obs none
play --camera /dev/none --headless | play --camera none --headless | play --game chess | play --seed a | play --seed
play --players A,a | play --first 9 | play --join a | join a | tables mqtt://a/a+b | tables a | play --bots ./none
calibrate --camera none.mp4 | calibrate --camera demo | calibrate a.txt | calibrate --board none | calibrate --restore
calibrate --board a.json | calibrate --board b.json | calibrate --ruler-mm 5 | calibrate | board --paper a9 | hand Ann
board --screen 1 | board --out . | kit --out a.txt | kit --measured 500 | kit --measured 98 --bank-card 85
kit --screen 1 | kit --out none/a.pdf | kit --screen 5 --paper a4 | players show Ann | players set Ann --colour a
trials play none | bots match a b | bots match luna | jongler | play extra | play --headless=3 | games jongler
play --no-camera --camera 0 | play --resume 1 --seed 3 | doctor --out a | film a b c | replay fault.log.line
""".strip()


@cache
def compile_texts(language: str) -> list[re.Pattern[str]]:
    """Return the texts of at least three words as patterns, with anything in their fields."""
    texts = [re.sub(r"\{.*?\}", "\0", entry) for entry in catalogue(language).values()]
    long_texts = (words for words in texts if len(re.findall(r"[^\W\d]{2,}", words)) >= 3)
    return [re.compile(re.escape(words).replace("\0", ".*")) for words in long_texts]


@pytest.mark.parametrize("language", LANGUAGES)
@every_case("words", re.split(r" \| |\n", COMMANDS))
def test_a_refusal_is_in_the_settings_language(
    words: str, language: str, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, content in FILES.items():
        (tmp_path / name).write_text(content)
    settings_path().parent.mkdir(parents=True, exist_ok=True)
    settings_path().write_text(f'language = "{language}"\n')
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("DISPLAY", raising=False)  # nothing is said about filming the game either
    result = run(*words.split())
    assert (result.exit_code, result.output, result.output.count("\n")) == (2, result.stderr, 1), (
        result.output
    )
    said = {name for name in LANGUAGES if any(p.search(result.stderr) for p in compile_texts(name))}
    assert said == {language}, result.stderr
    assert not re.search(r"\bfault\.\w+\.\w", re.sub("fault.log.line", "", result.stderr)), (
        "a key isn't a text"
    )
