"""Pages of trials, which are tasks for one player."""

from __future__ import annotations

from collections.abc import Sequence

from armoon.games.news import TrialNews
from armoon.messages import text
from armoon.screens import layout
from armoon.screens.events import COLOURS, FormPlayer, Request, SeatedPlayers, StartTrial
from armoon.screens.layout import Plan, Reply
from armoon.screens.state import PageName, Screens
from armoon.values import replace
from armoon.values.page import GAP, REST, FlexPart, grid, rows

#: Columns and maximum height of cards, in a wide and a tall window.
COLUMNS = {False: 2, True: 1}
MAX_CARD_HEIGHT = {False: 0.20, True: 0.12}
MAX_CARDS = 4

#: Medals, the lowest first.
MEDALS = ("bronze", "silver", "gold")


def trials_page(screens: Screens) -> Plan:
    tall, state = screens.is_tall, screens.trials
    body = layout.body_area(tall)
    sheets = split_into_sheets(state.lines)
    heading = text("screens.trials.heading")
    if not sheets:
        empty = layout.texts(body, (text("screens.trials.none"), *state.troubles), "none", 0.2)
        return layout.page(screens, heading, empty, layout.back_button(), veil=0.74)
    people = list_people(screens)
    group, tasks = sheets[screens.trial_group % len(sheets)]
    player = people[screens.trial_player % len(people)].name
    paragraphs = (tasks[0].about, *state.troubles[:1])
    chosen = FlexPart(body.height * 0.15 + GAP[1]) if tall else 0.13
    high = 0.09 * len(paragraphs) if tall else 0.07 + 0.03 * len(paragraphs)
    above, about, rest = rows(body, chosen, high, REST, gap=GAP[1] / 2.0)
    step_group = layout.step_number("trial_group", len(sheets))
    step_player = layout.step_number("trial_player", len(people))
    choices = (
        layout.choice("group", text("screens.trials.group"), group, step_group),
        layout.choice("player", text("screens.trials.player"), player, step_player),
    )
    cards = (_trial_card(line, player) for line in tasks)
    items = (
        *layout.arrange(choices, grid(above, 2, 1 if tall else 2)),
        *layout.texts(about, paragraphs, "about", 1.0 / len(paragraphs)),
        *layout.arrange(cards, grid(rest, len(tasks), COLUMNS[tall], MAX_CARD_HEIGHT[tall], (0.03, 0.016))),
    )
    foot = [layout.back_button()]
    if screens.trial:
        go = layout.go_to(PageName.RESEARCH, picture="")
        foot.append(layout.button("research", text("screens.trials.research"), go))
    return layout.page(screens, heading, items, *foot, veil=0.74, first=tasks[0].name)


def research_page(screens: Screens) -> Plan:
    words = [text(f"landmarks.{key}") for key in ("what", "without", "whose")]
    words.append(screens.picture or text("landmarks.ask"))
    note = layout.texts(layout.body_area(screens.is_tall), words, "asked", 0.16)
    save, title = layout.emit(Request.SAVE_LANDMARKS), text("screens.trials.research")
    write = layout.button("write", text("landmarks.write"), save, enabled=not screens.picture)
    return layout.page(screens, title, note, layout.back_button(), write, veil=0.78, first="back")


def split_into_sheets(trial_lines: Sequence[TrialNews]) -> tuple[tuple[str, tuple[TrialNews, ...]], ...]:
    """Return the headings and trials of groups that fit on a page."""
    sheets: list[tuple[str, tuple[TrialNews, ...]]] = []
    for group in dict.fromkeys(line.group for line in trial_lines):
        lines = [line for line in trial_lines if line.group == group]
        parts = [lines[k : k + MAX_CARDS] for k in range(0, len(lines), MAX_CARDS)]
        for number, part in enumerate(parts, start=1):
            label = group if len(parts) == 1 else text("screens.trials.sheet", group=group, number=number)
            sheets.append((label, tuple(part)))
    return tuple(sheets)


def list_people(screens: Screens) -> tuple[FormPlayer, ...]:
    """Return the players to choose from: the form's, then all other known players."""
    party = [player for player in screens.form.players if not player.bot]
    names = {player.name for player in party}
    everybody = (*party, *(player for player in screens.form.known_players if player.name not in names))
    return everybody or (FormPlayer("1", 0),)


def start_trial(screens: Screens, event: StartTrial) -> Reply:
    return trial_at_table(screens, event), (event,)


def trial_at_table(screens: Screens, event: StartTrial) -> Screens:
    cleared = screens.cleared_for(PageName.TABLE)
    return replace(cleared, in_game=True, practice=False, trial=event, party=event.party.names)


def make_start_trial(screens: Screens, game: str, trial: str, name: str) -> StartTrial:
    player = next((person for person in list_people(screens) if person.name == name), FormPlayer(name, 0))
    party = SeatedPlayers((player.name,), (COLOURS[player.colour],), (player.hand,))
    return StartTrial(game, trial, party, screens.form.seat)


open_trials = layout.go_to(PageName.TRIALS, Request.OPEN_TRIALS)


def _trial_card(line: TrialNews, name: str) -> layout.Item:
    """Return a trial's card with the medals still to win and the best results; gold is marked with a tick."""

    def start(screens: Screens) -> Reply:
        return start_trial(screens, make_start_trial(screens, line.game, line.name, name))

    own_best = next((best for best in line.bests if best.player == name), None)
    won = MEDALS.index(own_best.medal) + 1 if own_best is not None and own_best.medal else 0
    goals = [*zip(MEDALS, line.goals, strict=True)][won:]
    parts = [text(f"trials.ask.{medal}", score=score) for medal, score in goals]
    if own_best is not None:
        parts.append(text("screens.trials.own", score=own_best.score))
    if line.bests and line.bests[0].player != name:
        parts.append(text("screens.trials.top", score=line.bests[0].score))
    gold = own_best is not None and own_best.medal == "gold"
    return layout.card(line.name, line.title, " · ".join(parts), start, chosen=gold or None)
