"""``python -m tacit.cli`` is the ``tacit`` command."""

from tacit.cli.main import app

app(prog_name="tacit")
