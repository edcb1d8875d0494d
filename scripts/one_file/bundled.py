"""Writes the table of components in the single-file build for Linux, for ``armoon licences``.

Arguments: the folder of Debian's licence texts, and a file with a package and its version in each line.
"""

from __future__ import annotations

import json
import sys
from importlib import metadata, resources
from pathlib import Path


def list_python_packages() -> list[dict[str, object]]:
    rows = []
    for package in sorted(metadata.distributions(), key=lambda p: p.name.lower()):
        if package.name == "armoon":
            continue
        fields = package.metadata
        classes = [
            x.rpartition(" :: ")[2] for x in fields.get_all("Classifier", []) if x.startswith("License")
        ]
        short = (fields["License"] or "").partition("\n")[0]
        rows.append(
            {
                "what": f"{package.name} {package.version}",
                "files": [f"usr/lib/python3/dist-packages/{package.name}*"],
                "origin": "Python's package index",
                "licence": fields["License-Expression"] or ", ".join(classes) or short or "see its files",
            }
        )
    return rows


def list_debian_packages(texts: Path, versions: dict[str, str]) -> list[dict[str, object]]:
    rows = []
    for text in sorted(texts.glob("*/copyright")):
        lines = text.read_text(encoding="utf-8", errors="replace").splitlines()
        licences = [line[8:].strip() for line in lines if line.startswith("License:")]
        named = dict.fromkeys(name for name in licences if 0 < len(name) < 60)  # skip whole licence texts
        package = text.parent.name
        rows.append(
            {
                "what": f"{package} {versions[package]}",
                "files": [f"usr/share/doc/{package}/copyright"],
                "origin": "Debian 12",
                "licence": ", ".join(named) or "see the text",
            }
        )
    return rows


#: Components that no package's metadata describes.
INSIDE = [
    {
        "what": "The head of the file, which mounts or unpacks the rest (AppImageKit, with squashfuse, xz and zlib)",
        "files": [],
        "origin": "The AppImage project, github.com/AppImage/AppImageKit, as in Debian's source of libappimage",
        "licence": "MIT (AppImageKit), BSD-2-Clause (squashfuse), public domain (xz), Zlib (zlib)",
    },
    {
        "what": "FFmpeg, with x264 and x265, inside av",
        "files": ["usr/lib/python3/dist-packages/av.libs/*"],
        "origin": "github.com/PyAV-Org/pyav-ffmpeg, which has the sources",
        "licence": "GPL-2.0-or-later and LGPL-2.1-or-later: if you pass this file on, say where the sources are",
    },
    {
        "what": "Qt 5 and FFmpeg inside opencv-contrib-python",
        "files": ["usr/lib/python3/dist-packages/opencv_contrib_python.libs/*"],
        "origin": "github.com/opencv/opencv-python, texts in its LICENSE-3RD-PARTY.txt",
        "licence": "LGPL-3.0-only, LGPL-2.1-or-later",
    },
]

texts, packages = Path(sys.argv[1]), Path(sys.argv[2])
versions = dict(line.split() for line in packages.read_text(encoding="utf-8").splitlines())
table = {"bundled": [*INSIDE, *list_python_packages(), *list_debian_packages(texts, versions)]}
target = Path(str(resources.files("armoon"))) / "bundled.json"
target.write_text(json.dumps(table, indent=1, ensure_ascii=False), encoding="utf-8")
