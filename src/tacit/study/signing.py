"""Links and tokens that prove by themselves that this server gave them out."""

import hashlib
import hmac
from base64 import urlsafe_b64encode
from dataclasses import dataclass
from typing import Literal

from tacit.errors import Refused

LinkKind = Literal["single", "reusable", "preview"]
_LETTERS: dict[str, LinkKind] = {"s": "single", "r": "reusable", "p": "preview"}
_LENGTH = 32


@dataclass(frozen=True)
class Link:
    """A way into a study.

    Attributes
    ----------
    study_id : str
        Which study.
    kind : {"single", "reusable", "preview"}
        For one person; for any number; to look at the study without leaving data.
    nonce : str
        What makes it different from others.
    """

    study_id: str
    kind: LinkKind
    nonce: str = "0"


class Signer:
    """Signs links and tokens.

    Parameters
    ----------
    secret : str
        What only the server knows.

    Examples
    --------
    >>> signer = Signer("only an example")
    >>> signer.link(Link("tea", "preview"))
    'tea.p0.pTmSpSDG37c7larse3Zge9mSFiWJ4GB-'
    >>> signer.read_link("tea.p0.wrong")
    Traceback (most recent call last):
    tacit.errors.Refused: this link is not one of this server; was it copied in full?
    """

    def __init__(self, secret: str) -> None:
        self._secret = secret.encode()

    def link(self, link: Link) -> str:
        """Return a link as text."""
        body = f"{link.study_id}.{link.kind[0]}{link.nonce}"
        return f"{body}.{self.sign('link', body)}"

    def read_link(self, text: str) -> Link:
        """Return the link that a text is."""
        body, _, signature = text.rpartition(".")
        study_id, _, rest = body.partition(".")
        if not self.agrees("link", body, signature) or rest[:1] not in _LETTERS:
            raise Refused("this link is not one of this server; was it copied in full?")
        return Link(study_id, _LETTERS[rest[0]], rest[1:])

    def token(self, session_id: str) -> str:
        """Return the token that opens one session."""
        return self.sign("session", session_id)

    def sign(self, purpose: str, text: str) -> str:
        """Return the signature of a text."""
        message = f"{purpose}:{text}".encode("utf-8", "surrogatepass")
        digest = hmac.new(self._secret, message, hashlib.sha256).digest()
        return urlsafe_b64encode(digest).decode()[:_LENGTH]

    def agrees(self, purpose: str, text: str, signature: str) -> bool:
        """Tell whether a signature is that of a text, in constant time."""
        given = signature.encode("utf-8", "surrogatepass")
        return hmac.compare_digest(self.sign(purpose, text).encode(), given)
