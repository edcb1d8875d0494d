"""For screen readers: what a page and the glass over the table consist of, and the library that hands it on."""
