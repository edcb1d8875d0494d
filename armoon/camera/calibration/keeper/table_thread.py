"""The table's keeper in a thread of its own: the newest frame goes in, the table's present state comes out."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from armoon.camera.calibration.keeper.table_keeper import TableKeeper, TableState
from armoon.camera.frame import Frame
from armoon.errors import ArmoonError, CameraError
from armoon.geometry import Array
from armoon.mailbox import Mailbox

#: How long the thread sleeps for a frame before it looks whether it should end.
WAIT_S = 0.1
#: How long ``close`` waits for the thread: a close look's work.
JOIN_S = 2.0


@dataclass(frozen=True, eq=False)
class _Order:
    """A frame with the hands seen in it."""

    frame: Frame
    hands_px: tuple[Array, ...]


class TableThread:
    """Runs a keeper until ``close``; frames that it has no time for are dropped."""

    def __init__(self, keeper: TableKeeper) -> None:
        self._keeper = keeper
        self._lock = threading.Lock()
        self._state = keeper.state
        self._fault: ArmoonError | None = None
        self._frames: Mailbox[_Order] = Mailbox()
        self._ending = threading.Event()
        self._thread = threading.Thread(target=self._run, name="armoon-table", daemon=True)
        self._thread.start()

    @property
    def state(self) -> TableState:
        """The table after the newest frame that was looked at. Raises what has ended the thread."""
        if self._fault is not None:
            raise self._fault
        return self._state

    def submit(self, frame: Frame, hands_px: Sequence[Array] = ()) -> None:
        """Lay down the newest frame with the landmarks (21, 2) of each hand seen in it."""
        self._frames.put(_Order(frame, tuple(hands_px)))

    def command(self, order: Callable[[TableKeeper], None]) -> TableState:
        """Do something with the keeper between two frames, such as ``TableKeeper.settle``."""
        with self._lock:
            order(self._keeper)
            self._state = self._keeper.state
        return self.state

    def close(self) -> None:
        """End the thread and wait for it; a second call does nothing."""
        self._ending.set()
        self._frames.close()
        self._thread.join(JOIN_S)

    def _run(self) -> None:
        try:
            while not self._ending.is_set():
                order = self._frames.take(WAIT_S)
                if order is not None:
                    with self._lock:
                        self._state = self._keeper.see(order.frame, order.hands_px)
        except ArmoonError as error:
            self._fault = error
        except Exception as error:  # whatever ends this thread has to reach the reader's
            self._fault = CameraError(
                f"Following the table stopped ({type(error).__name__}: {error}).",
                remedy="Start armoon again.",
            )
            self._fault.__cause__ = error
