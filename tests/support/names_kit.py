"""Names of players with unusual letters and lengths."""

from __future__ import annotations

NAMES = (
    "AJ",
    "McAllister",
    "van der Berg",
    "O\u2019Brien",
    "O'Neil",
    "Jean-Luc",
    "Zo\u00e9",
    "\u0141ukasz",
    "Nguy\u1ec5n",
    "\u041d\u0438\u043a\u0438\u0442\u0430",
    "\u0395\u03bb\u03ad\u03bd\u03b7",
    "\u092a\u094d\u0930\u093f\u092f\u093e",
    "\u0e2a\u0e38\u0e17\u0e18\u0e34\u0e14\u0e32",
    "\u0645\u062d\u0645\u062f",
    "\u0639\u0644\u06cc\u200c\u0631\u0636\u0627",
    "\u05d3\u05d5\u05d3",
    "\u0ba4\u0bae\u0bbf\u0bb4\u0bcd",
    "\u0dc3\u0dca\u200d\u0dbb\u0dd3",
    "\u5c0f\u660e",
    "\uc9c0\ubbfc",
    *("D\u2018Angelo", "O\u00b4Brien", "Jean\u2011Luc", "\u05d2\u05f3\u05d5\u05e8\u05d2\u05f3"),
    *("\u30de\u30a4\u30b1\u30eb\u30fbJ", "\u0f56\u0f66\u0f9f\u0f53\u0f0b\u0f60\u0f5b\u0f72\u0f53"),
)
