"""Every sound has its words in every language, with the side that it comes from, and stands long enough to be read."""

from __future__ import annotations

import pytest

from armoon.messages import LANGUAGES, speaking
from armoon.sound.cues import CueKind, SoundCue
from armoon.speech_output.telling import LETTER_S, MOST, SHORTEST_S, Captions, caption_of


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", CueKind)
def test_every_cue_has_a_caption_with_its_side(kind: CueKind, language: str) -> None:
    with speaking(language):
        said = [caption_of(SoundCue(kind, across=across)) for across in (-0.8, 0.0, 0.8)]
    assert len(set(said)) == 3
    left, middle, right = said
    assert left.startswith(middle)
    assert right.startswith(middle)
    assert "{" not in "".join(said)
    assert 0 < len(middle) <= 60


def test_captions_stay_long_enough_and_only_the_newest() -> None:
    captions = Captions()
    captions.hear([SoundCue(CueKind.KNOCK, across=-1.0)], 10.0)
    (words,) = captions.lines(10.0)
    lasts_s = SHORTEST_S + LETTER_S * len(words)
    assert captions.lines(10.0 + lasts_s - 0.01) == (words,)
    assert captions.lines(10.0 + lasts_s + 0.01) == ()
    kinds = (CueKind.KNOCK, CueKind.THUD, CueKind.TEAR, CueKind.OUT, CueKind.FANFARE)
    captions.hear([SoundCue(kind) for kind in kinds], 20.0)
    assert captions.lines(20.0) == tuple(caption_of(SoundCue(kind)) for kind in kinds[-MOST:])


def test_a_tower_that_falls_knocks_once_in_words_and_pages_say_nothing_twice() -> None:
    captions = Captions()
    for k in range(20):
        captions.hear([SoundCue(CueKind.KNOCK, strength=k / 20.0)], 0.1 * k)
    captions.hear([SoundCue(CueKind.FOCUS), SoundCue(CueKind.PRESS)], 2.0)
    assert captions.lines(2.0) == (caption_of(SoundCue(CueKind.KNOCK)),)
    for height_m in (0.02, 0.04, 0.06):
        captions.hear([SoundCue(CueKind.STOP, height_m=height_m)], 2.0)
    assert captions.lines(2.0)[-1] == "A tone, 6 cm high"
    assert len(captions.lines(2.0)) == 2
