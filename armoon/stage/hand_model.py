"""The finished hand, mesh and skin detail together: built once, then read from the cache folder."""

from __future__ import annotations

import hashlib
import os
import tempfile
import zipfile
from collections.abc import Callable
from dataclasses import dataclass, fields
from pathlib import Path

import numpy as np

from armoon.stage import anatomy, flesh, hand_mesh, skin_detail, surface_nets
from armoon.stage.hand_mesh import HandMesh, build_hand_mesh
from armoon.stage.skin_detail import Texels, paint_skin_detail

#: Called with a fraction 0 to 1 and a key for what is being made.
Progress = Callable[[float, str], None]


@dataclass(frozen=True, eq=False)
class HandModel:
    """What the renderer uploads: a mesh and the solid texture of its skin."""

    mesh: HandMesh
    detail: Texels


def _cache_name() -> str:
    """A file name that changes with the code which builds the model."""
    digest = hashlib.sha256()
    for module in (anatomy, flesh, surface_nets, hand_mesh, skin_detail):
        digest.update(Path(str(module.__file__)).read_bytes())
    return f"hand-{digest.hexdigest()[:16]}.npz"


def load_hand_model(cache_dir: Path | None = None, progress: Progress | None = None) -> HandModel:
    """The hand from the cache, or built anew (about 5 s) and then cached if the folder can be written."""
    report = progress or (lambda fraction, what: None)
    path = cache_dir / _cache_name() if cache_dir else None
    cached = _read(path) if path else None
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
            np.savez_compressed(file, detail=model.detail, **arrays)
        os.replace(unfinished, path)
    except OSError:  # a cache that can't be written costs time at the next start, nothing else
        if unfinished and os.path.exists(unfinished):
            os.remove(unfinished)
