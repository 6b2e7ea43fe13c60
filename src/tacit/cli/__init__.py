"""The ``tacit`` command: one file for each of its commands, which parse, call and print."""
