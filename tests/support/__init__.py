"""Helps that several tests share."""
