"""The screens' reaction to news: a game's, shown at once to its players, and the app's."""

from __future__ import annotations

from dataclasses import replace

from armoon.games.news import FaceAsked, FinalBegan, GameOver, ScoreTold, Verdict
from armoon.screens.actions import Action, Request
from armoon.screens.events import (
    BookTold,
    CameraPaused,
    CameraTold,
    Event,
    PictureKept,
    PossibleTold,
    ReviewTold,
    SaveTold,
    ScoresTold,
    SeedTold,
    TableAsked,
    TableTold,
    TrialsTold,
    UnfinishedTold,
)
from armoon.screens.on_air import OnAirTold
from armoon.screens.state import PageName, Screens
from armoon.values.choices import CameraWay

#: Pages on which a game's news wait until the players are back at the table.
_AT_TABLE = (PageName.TABLE, PageName.VERDICT, PageName.FINAL)


def noted(screens: Screens, event: Event) -> Screens:
    """Return the state after news; the same after anything else."""
    match event:
        case Verdict() | FinalBegan() | GameOver():
            return _of_game(screens, event)
        case CameraTold():
            return _of_camera(screens, event)
        case PossibleTold(act, possible):
            others = screens.possible - {act}
            return replace(screens, possible=others | {act} if possible else others)
        case SaveTold(kept):
            return replace(screens, kept=kept)
        case FaceAsked(asked):
            return replace(screens, asks_face=asked)
        case ScoreTold(points):
            return replace(screens, score=points)
        case PictureKept(sentence):
            return replace(screens, picture=sentence)
        case BookTold():
            return replace(screens, book=event)
        case ScoresTold():
            return replace(screens, scores=event)
        case ReviewTold():
            return replace(screens, review=event)
        case TrialsTold():
            return replace(screens, trials=event)
        case OnAirTold():
            return replace(screens, on_air=event)
        case SeedTold(seed):
            return replace(screens, seed=seed)
        case UnfinishedTold(games):
            return replace(screens, unfinished=games)
        case TableAsked():
            return replace(screens.home(PageName.FIND), in_game=False, table=TableTold())
        case TableTold():
            return replace(screens, table=event)
        case CameraPaused(sentence) if screens.in_game and screens.page is not PageName.PAUSE:
            return replace(screens.home(PageName.PAUSE), stopped_by=sentence)
    return screens


def asked_by(screens: Screens, event: Event) -> tuple[Action, ...]:
    """Return what the app is asked for by news: the picture of a game that is over.

    Before a real camera it would show people, who ask for it themselves if they want it.
    """
    shown = isinstance(event, GameOver) and screens.page is PageName.RESULT and not screens.practice
    return (Request.KEEP_PICTURE,) if shown and screens.camera.way is not CameraWay.REAL else ()


def _of_game(screens: Screens, told: Verdict | FinalBegan | GameOver) -> Screens:
    at_table = screens.in_game and screens.page in _AT_TABLE
    match told:
        case Verdict():
            judged = replace(screens, verdict=told)
            return judged.home(PageName.VERDICT) if at_table and told.stop else judged
        case FinalBegan():
            tied = replace(screens, final=told)
            return tied.home(PageName.FINAL) if at_table else tied
    return replace(screens, result=told).home(PageName.RESULT) if screens.in_game else screens


def _of_camera(screens: Screens, told: CameraTold) -> Screens:
    """Return the seat that goes with another kind of camera; back from the page on which it was chosen.

    Who hasn't said yet with what they play isn't asked for a camera, which most ways don't need.
    """
    before, page = screens.camera, screens.page is PageName.CAMERA
    seen = replace(screens, camera=told)
    if told.seat is not None and told.way is not before.way:
        seen = replace(seen, form=replace(seen.form, seat=told.seat))
    if told.asks:
        return seen if page or screens.asks_way else seen.to(PageName.CAMERA)
    return replace(seen.returned(), stopped_by="") if page and told.seat is not None else seen
