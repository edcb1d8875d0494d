"""The screens' reaction to news: a game's, shown at once to its players, and the app's."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from armoon.games.news import FaceAsked, FinalBegan, GameOver, ScoreTold, Verdict
from armoon.screens.actions import Action, Request
from armoon.screens.events import (
    BookTold,
    CameraPaused,
    CameraTold,
    Event,
    PictureKept,
    PlacesShown,
    PossibleTold,
    ReviewTold,
    SaveTold,
    ScoresTold,
    SeedTold,
    TableAsked,
    TableTold,
    TrialsTold,
    TurnPassed,
    UnfinishedTold,
)
from armoon.screens.far import FarBegun, FarTold
from armoon.screens.input import MouseRested
from armoon.screens.on_air import OnAirTold
from armoon.screens.own import turn_passed
from armoon.screens.state import PageName, Screens
from armoon.values.choices import CameraWay

#: Pages on which a game's news wait until the players are back at the table.
_AT_TABLE = (PageName.TABLE, PageName.VERDICT, PageName.FINAL)
#: News that are kept as they are told, and where.
_KEPT: dict[type[Event], str] = {
    BookTold: "book",
    ScoresTold: "scores",
    ReviewTold: "review",
    TrialsTold: "trials",
    OnAirTold: "on_air",
    TableTold: "table",
    FarTold: "far",
}


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
        case BookTold() | ScoresTold() | ReviewTold() | TrialsTold() | OnAirTold() | TableTold() | FarTold():
            told: dict[str, Any] = {_KEPT[type(event)]: event}
            return replace(screens, **told)
        case PlacesShown(places):
            return replace(screens, numbers=places)
        case MouseRested(part) if part != screens.rested:
            # A ring around a mouse that is about to click by itself.
            return replace(screens, rested=part, pointer=screens.hover if part > 0.0 else None)
        case SeedTold(seed):
            return replace(screens, seed=seed)
        case UnfinishedTold(games, elsewhere):
            return replace(screens, unfinished=games, elsewhere=elsewhere)
        case TurnPassed(player):
            return turn_passed(screens, player)
        case FarBegun(game, players, options):
            # The form keeps who plays here; the others are at their own tables.
            form = replace(screens.form, game=game).with_options(options, game)
            at_table = replace(screens.cleared(PageName.TABLE), form=form, party=players)
            return replace(at_table, in_game=True, practice=False, trial=None)
        case TableAsked():
            return replace(screens.home(PageName.FIND), in_game=False, table=TableTold())
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

    Where none was found only players whose way needs one are asked; one that has looked and is gone is told to all.
    """
    before, page = screens.camera, screens.page is PageName.CAMERA
    seen = replace(screens, camera=told)
    if told.seat is not None and told.way is not before.way:
        seen = replace(seen, form=replace(seen.form, seat=told.seat))
    if told.asks:
        wanted = screens.preferences.seen or told.way is CameraWay.REAL
        return seen.to(PageName.CAMERA) if wanted and not (page or screens.asks_way) else seen
    return replace(seen.returned(), stopped_by="") if page and told.seat is not None else seen
