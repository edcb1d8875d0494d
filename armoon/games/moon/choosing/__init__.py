"""Placing by choosing: places are offered, and the simulated hand carries the ladder to the confirmed one."""
