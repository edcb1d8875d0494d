"""The finished hand, mesh and skin detail together: it comes along, and is built again only where its code has changed.

After a change to that code: ``python -m armoon.synthetic_camera.hand_model`` builds the one that comes along anew.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
import zipfile
from collections.abc import Callable
from dataclasses import dataclass, fields
from pathlib import Path

import numpy as np

from armoon.synthetic_camera import anatomy, flesh, hand_mesh, skin_detail, surface_nets
from armoon.synthetic_camera.hand_mesh import HandMesh, build_hand_mesh
from armoon.synthetic_camera.skin_detail import Texels, paint_skin_detail

#: Called with a fraction 0 to 1 and a key for what is being made.
Progress = Callable[[float, str], None]


#: The hand that comes along: nobody has to wait for it at the first start.
SHIPPED = Path(__file__).with_name("hand.npz")


@dataclass(frozen=True, eq=False)
class HandModel:
    """What the renderer uploads: a mesh and the solid texture of its skin."""

    mesh: HandMesh
    detail: Texels


def made_of() -> str:
    """Return a digest of the code that builds the model."""
    digest = hashlib.sha256()
    for module in (anatomy, flesh, surface_nets, hand_mesh, skin_detail):
        digest.update(Path(str(module.__file__)).read_bytes())
    return digest.hexdigest()[:16]


def load_hand_model(cache_dir: Path | None = None, progress: Progress | None = None) -> HandModel:
    """Return the hand that comes along.

    Else from the cache, or built anew (about 5 s) and cached if that can be written.
    """
    report = progress or (lambda fraction, what: None)
    came = _read(SHIPPED)
    path = cache_dir / f"hand-{made_of()}.npz" if cache_dir else None
    cached = came or (_read(path) if path else None)
    if cached is None:
        report(0.0, "hand mesh")
        mesh = build_hand_mesh()
        report(0.4, "skin")
        cached = HandModel(mesh, paint_skin_detail())
        if path:
            _write(path, cached)
    report(1.0, "hand")
    return cached


def _read(path: Path) -> HandModel | None:
    try:
        with np.load(path, allow_pickle=False) as arrays:
            if str(arrays["made_of"]) != made_of():
                return None  # by other code
            mesh = HandMesh(**{field.name: arrays[field.name] for field in fields(HandMesh)})
            return HandModel(mesh, arrays["detail"])
    except (OSError, KeyError, ValueError, EOFError, zipfile.BadZipFile):
        return None  # absent or damaged: build it again


def _write(path: Path, model: HandModel) -> None:
    """Write beside the file and rename, so that a second process never reads half of it."""
    arrays = {field.name: getattr(model.mesh, field.name) for field in fields(HandMesh)}
    unfinished: str | None = None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, unfinished = tempfile.mkstemp(dir=path.parent, suffix=".npz")
        with os.fdopen(handle, "wb") as file:
            np.savez_compressed(file, made_of=np.array(made_of()), detail=model.detail, **arrays)
        os.replace(unfinished, path)
    except OSError:  # a cache that can't be written costs time at the next start, nothing else
        if unfinished and os.path.exists(unfinished):
            os.remove(unfinished)


if __name__ == "__main__":
    _write(SHIPPED, HandModel(build_hand_mesh(), paint_skin_detail()))
