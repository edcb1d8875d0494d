"""Least squares for a few unknowns, with the uncertainty of the result (Levenberg and Marquardt)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from armoon.geometry import Array

#: Relative step of the derivative: near the cube root of double precision, as central differences want.
_STEP = 1e-5
_ROUNDS = 40
#: Relative gain below which no further round is made.
_ENOUGH = 1e-10


@dataclass(frozen=True, eq=False)
class Fit:
    """The best parameters (n,), what remains (m,), and the inverse of the normal matrix (n, n)."""

    parameters: Array
    residuals: Array
    inverse_normal: Array

    def covariance(self, least_sigma: float) -> Array:
        """Of the parameters (n, n); the residuals' spread is taken as at least ``least_sigma``."""
        spare = max(1, len(self.residuals) - len(self.parameters))
        variance = float(self.residuals @ self.residuals) / spare
        return np.asarray(max(variance, least_sigma**2) * self.inverse_normal)


def least_squares(
    residuals: Callable[[Array], Array], start: Array, slopes: Callable[[Array], Array] | None = None
) -> Fit:
    """Parameters near ``start`` (n,) for which the sum of squared ``residuals`` (m,) is least.

    ``slopes`` gives their derivatives (m, n) where they are known; otherwise differences do.
    """
    parameters = np.asarray(start, dtype=np.float64)
    left = residuals(parameters)
    damping = 1e-3
    slopes = slopes or (lambda at: _jacobian(residuals, at))
    jacobian = slopes(parameters)
    for _ in range(_ROUNDS):
        normal = jacobian.T @ jacobian
        scale = np.diag(np.diag(normal) + 1e-12)
        step = np.linalg.solve(normal + damping * scale, -jacobian.T @ left)
        tried = residuals(parameters + step)
        before, after = float(left @ left), float(tried @ tried)
        if np.isfinite(after) and after <= before:
            parameters, left, damping = parameters + step, tried, damping / 5.0
            if before - after <= _ENOUGH * (before + 1e-18):
                break
            jacobian = slopes(parameters)
        elif damping > 1e8:
            break
        else:
            damping *= 8.0
    normal = jacobian.T @ jacobian
    return Fit(parameters, left, np.linalg.pinv(normal))


def _jacobian(residuals: Callable[[Array], Array], at: Array) -> Array:
    columns = []
    for index, value in enumerate(at):
        step = np.zeros_like(at)
        step[index] = _STEP * max(1.0, abs(float(value)))
        columns.append((residuals(at + step) - residuals(at - step)) / (2.0 * step[index]))
    return np.column_stack(columns)
