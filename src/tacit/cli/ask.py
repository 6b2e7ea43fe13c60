"""``tacit ask``: a learner for programs in any language, by JSON lines."""

import json
import sys

import typer

from tacit.cli._command import UNUSABLE, command


@command
def ask() -> None:
    r"""Decide what to ask a person next: a learner for programs in any language.

    Reads a JSON object from each line of stdin, and replies to it by a JSON object on a line of
    stdout, at once. Start it as a subprocess, one for each person.

    The first line is the set-up: [bold]items[/bold] (a list of names; or an object with features,
    a list of numbers for each item, and perhaps names, feature_names, reference) and perhaps
    [bold]queries[/bold] ("all pairs", "against reference", or a list of pairs of names),
    [bold]learner[/bold] (a name, TopTwo if absent), [bold]options[/bold] (its parameters as
    an object) and [bold]seed[/bold] (if absent, another one each time). The reply is the first
    query: query (its number), first and second (items by name; second is null for the reference).

    Then each line is an answer: [bold]choice[/bold] (1 or "first", -1 or "second"),
    [bold]response_time[/bold] (seconds; null if it is void) and perhaps [bold]query[/bold], to
    make sure that it answers what was asked. The reply is the next query, with best (the item to
    recommend), probability (of its being the best; null if the learner does not say) and n_answers.
    A query of null: there is nothing more to ask.

    A line may also be {"command": "recommend"}, for the last reply again, or {"command": "state"}:
    the reply, sent as the first line, opens the session anew, where it was.

    A line that cannot be used changes nothing; the reply is error (why) and line (its number).

    [bold]Example[/bold]: tacit ask < session.jsonl

    [bold]Exit codes[/bold]: 0 if the input ended, 2 if the set-up cannot be used.
    """
    from tacit.cli._ask import Conversation
    from tacit.cli._render import say

    if sys.stdin.isatty():
        say('Waiting for a line such as {"items": ["tea", "milk"]}; tacit ask --help says more.')
    conversation = Conversation()
    for number, line in enumerate(sys.stdin.buffer, 1):
        if line.strip():
            reply = conversation.reply(line, number)
            sys.stdout.write(json.dumps(reply, allow_nan=False) + "\n")
            sys.stdout.flush()
            if conversation.session is None:
                raise typer.Exit(UNUSABLE)
