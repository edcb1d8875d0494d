"""The rendered webcam: a table, a light and hands of exactly known pose, drawn as camera frames."""
