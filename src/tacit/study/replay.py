"""Is a log what the session would write today?"""

from collections.abc import Sequence

from tacit.study.asking import follow
from tacit.study.definition import Study
from tacit.study.log import Entry
from tacit.study.session import Session


def first_difference(study: Study, seed: int, log: Sequence[Entry]) -> str:
    r"""Compare a log with what the same seed and answers lead to now.

    Parameters
    ----------
    study : Study
        What the session is about.
    seed : int
        Its seed.
    log : sequence of Entry
        All that was written.

    Returns
    -------
    str
        What is different first; an empty text if nothing is.

    Examples
    --------
    >>> from tacit.study import parse_study
    >>> items = "".join(f'[[items]]\nid = "{name}"\n' for name in ["green", "black"])
    >>> head = '[study]\nid = "tea"\ntitle = "Tea"\nquestion = "Which one?"\n'
    >>> tea = parse_study(head + "[budget]\nqueries = 20\n" + items)
    >>> log = follow(Session.begin(tea, seed=1)).entries
    >>> first_difference(tea, 1, log)
    ''
    >>> first_difference(tea, 1, [])
    'entry 1 is missing: asked'
    """
    if log and log[0].kind == "withdrawn":
        return ""
    step = follow(Session.begin(study, seed))
    expected = list(step.entries)
    session = step.session
    for number, entry in enumerate(log, 1):
        if expected:
            wanted = expected.pop(0)
            if (entry.kind, dict(entry.body)) != (wanted.kind, dict(wanted.body)):
                return (
                    f"entry {number} is {entry.kind} {dict(entry.body)}, and would now be "
                    f"{wanted.kind} {dict(wanted.body)}"
                )
            continue
        step = follow(session, entry)
        expected, session = step.entries[1:], step.session
    return f"entry {len(log) + 1} is missing: {expected[0].kind}" if expected else ""
