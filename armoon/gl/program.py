"""Shader programs from the packaged shaders.

pyglet's own ShaderProgram is left aside: it knows no shadow samplers (2.1.19 raises KeyError).
"""

from __future__ import annotations

import ctypes
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from armoon.errors import DisplayError
from armoon.gl.context import REMEDY, gl
from armoon.resources import resource_text


class Program:
    """A vertex and a fragment shader from ``shaders/``, linked."""

    def __init__(self, vertex: str, fragment: str) -> None:
        stages = [_compile(gl.GL_VERTEX_SHADER, vertex), _compile(gl.GL_FRAGMENT_SHADER, fragment)]
        self._name: int = gl.glCreateProgram()
        for stage in stages:
            gl.glAttachShader(self._name, stage)
        gl.glLinkProgram(self._name)
        for stage in stages:
            gl.glDeleteShader(stage)
        if not _status(gl.glGetProgramiv, self._name, gl.GL_LINK_STATUS):
            log = _log(gl.glGetProgramiv, gl.glGetProgramInfoLog, self._name)
            raise DisplayError(f"{vertex} and {fragment} don't link: {log}", remedy=REMEDY)
        self._locations: dict[str, int] = {}

    def use(
        self,
        uniforms: Mapping[str, Any],
        textures: Sequence[tuple[str, int, int]] = (),
        vectors: Mapping[str, npt.NDArray[Any]] | None = None,
    ) -> None:
        """Draw with this program from now on.

        ``uniforms``: a float, 2 to 4 floats, or a matrix (3, 3) or (4, 4). ``textures``: (uniform, target,
        texture), bound to units in this order. ``vectors``: arrays (n, 4) for uniforms of type vec4[n].
        """
        gl.glUseProgram(self._name)
        for name, value in uniforms.items():
            self._set(self._location(name), np.asarray(value, dtype=np.float32))
        for name, rows in (vectors or {}).items():
            gl.glUniform4fv(self._location(name), len(rows), _floats(rows))
        for unit, (name, target, texture) in enumerate(textures):
            gl.glActiveTexture(gl.GL_TEXTURE0 + unit)
            gl.glBindTexture(target, texture)
            gl.glUniform1i(self._location(name), unit)
        gl.glActiveTexture(gl.GL_TEXTURE0)

    def _location(self, name: str) -> int:
        if name not in self._locations:
            self._locations[name] = gl.glGetUniformLocation(self._name, name.encode())
        return self._locations[name]

    @staticmethod
    def _set(location: int, value: npt.NDArray[np.float32]) -> None:
        if value.ndim == 2:  # GL reads matrices by columns; GL_TRUE transposes numpy's rows
            setter = gl.glUniformMatrix4fv if len(value) == 4 else gl.glUniformMatrix3fv
            setter(location, 1, gl.GL_TRUE, _floats(value))
        else:
            setters = [gl.glUniform1fv, gl.glUniform2fv, gl.glUniform3fv, gl.glUniform4fv]
            setters[value.size - 1](location, 1, _floats(value))


def _floats(array: npt.NDArray[Any]) -> Any:
    return np.ascontiguousarray(array, dtype=np.float32).ctypes.data_as(ctypes.POINTER(gl.GLfloat))


def _compile(kind: int, name: str) -> int:
    source = ctypes.create_string_buffer(resource_text("shaders", name).encode())
    shader: int = gl.glCreateShader(kind)
    lines = (ctypes.POINTER(gl.GLchar) * 1)(ctypes.cast(source, ctypes.POINTER(gl.GLchar)))
    gl.glShaderSource(shader, 1, lines, None)
    gl.glCompileShader(shader)
    if not _status(gl.glGetShaderiv, shader, gl.GL_COMPILE_STATUS):
        log = _log(gl.glGetShaderiv, gl.glGetShaderInfoLog, shader)
        gl.glDeleteShader(shader)
        raise DisplayError(f"The shader {name} doesn't compile: {log}", remedy=REMEDY)
    return shader


def _status(query: Any, name: int, what: int) -> int:
    value = gl.GLint()
    query(name, what, value)
    return int(value.value)


def _log(query: Any, fetch: Any, name: int) -> str:
    length = max(_status(query, name, gl.GL_INFO_LOG_LENGTH), 1)
    text = ctypes.create_string_buffer(length)
    fetch(name, length, None, text)
    return " ".join(text.value.decode(errors="replace").split()) or "no message"
