"""Reads printed pages from our PDFs and SVGs."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import cv2
import numpy as np
import numpy.typing as npt

from armoon.values.paper import DICTIONARY

#: Left, top, right, bottom in millimetres from the paper's upper left corner.
Rectangle = tuple[float, float, float, float]
_POINT_MM = 25.4 / 72.0


def read_pdf_pages(pdf: bytes) -> list[tuple[float, float, list[Rectangle]]]:
    """Return each page's width and height in millimetres, and its filled rectangles."""
    boxes = re.findall(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", pdf)
    streams = re.findall(rb"\nstream\n(.*?)\nendstream", pdf, re.S)
    pages = []
    for (wide, high), stream in zip(boxes, streams, strict=True):
        height = float(high) * _POINT_MM
        rectangles = []
        for row in re.findall(rb"^([-\d. ]+) re f$", stream, re.M):
            x, y, width, rectangle_height = (float(v) * _POINT_MM for v in row.split())
            rectangles.append((x, height - y - rectangle_height, x + width, height - y))
        pages.append((float(wide) * _POINT_MM, height, rectangles))
    return pages


def read_svg_page(svg: str) -> tuple[float, float, list[Rectangle]]:
    root = ElementTree.fromstring(svg)
    assert root.attrib["width"].endswith("mm")
    width, height = (float(root.attrib[side].removesuffix("mm")) for side in ("width", "height"))
    assert root.attrib["viewBox"] == f"0 0 {width:g} {height:g}"
    rows = [e.attrib for e in root.iter("{http://www.w3.org/2000/svg}rect") if "x" in e.attrib]
    return width, height, [_parse_rectangle(row) for row in rows]


def _parse_rectangle(row: dict[str, str]) -> Rectangle:
    x, y, width, height = (float(row[name]) for name in ("x", "y", "width", "height"))
    return x, y, x + width, y + height


def rasterise(
    width: float, height: float, rectangles: list[Rectangle], dots_per_inch: float = 300.0
) -> npt.NDArray[np.uint8]:
    per_mm = dots_per_inch / 25.4
    picture = np.full((round(height * per_mm), round(width * per_mm)), 255, np.uint8)
    for rectangle in rectangles:
        left, top, right, bottom = (round(v * per_mm) for v in rectangle)
        picture[top:bottom, left:right] = 0
    return picture


def find_tags(picture: npt.NDArray[np.uint8]) -> dict[int, npt.NDArray[np.float64]]:
    """Return the number and corners (4, 2) in pixels of every tag of the kit that OpenCV finds."""
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, DICTIONARY)))
    corners, numbers, _ = detector.detectMarkers(picture)
    assert numbers is not None, "no tag was found"
    tags = [int(number) for number in np.ravel(numbers)]
    assert len(set(tags)) == len(tags), "a tag was found twice"
    return {number: np.asarray(four, float).reshape(4, 2) for number, four in zip(tags, corners, strict=True)}


def render_webcam_view(
    picture: npt.NDArray[np.uint8], turn: float
) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.float64]]:
    """Return the print in perspective on a grey table, blurred and noisy, and the homography from print to view."""
    height, width = picture.shape
    rng = np.random.default_rng(int(1000 * turn))
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], float)
    rotation = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    rotated = (corners - corners.mean(0)) @ rotation.T
    # The far edge is a third shorter than the near edge.
    depth = 1.0 + 0.2 * rotated[:, 1:] / np.abs(rotated).max()
    projected = rotated * depth
    projected = (projected - projected.min(0)) / (projected.max(0) - projected.min(0)).max() * 1000.0 + 30.0
    homography = cv2.getPerspectiveTransform(corners.astype(np.float32), projected.astype(np.float32))
    size = tuple(int(v) for v in np.ceil(projected.max(0) + 30.0))
    # Without this blur, shrinking the print would cause aliasing.
    blurred = cv2.GaussianBlur(picture, (0, 0), 0.45 * height / 1000.0)
    view = cv2.warpPerspective(blurred, homography, size, borderValue=(120,)).astype(float)
    view = np.clip(0.75 * view + 30.0 + rng.normal(0.0, 3.0, view.shape), 0, 255)
    return view.astype(np.uint8), np.asarray(homography, float)


def map_points(
    homography: npt.NDArray[np.float64], points: npt.NDArray[np.float64]
) -> npt.NDArray[np.float64]:
    """Map points (n, 2) by a homography."""
    mapped = cv2.perspectiveTransform(points.reshape(-1, 1, 2), homography)
    return np.asarray(mapped, dtype=np.float64).reshape(-1, 2)
