"""What COND05 rests on: the notions that ask for a secret or lead round a check together, and what excuses them."""

from predicates.conduct.redline import Heard, role_of

PLAIN = (
    ("secret.thing", "secret.hand"), ("dodge.form", "dodge.lie"), ("dodge.lie", "dodge.pass"),
    ("dodge.watched", "dodge.aside"), ("dodge.warn", "dodge.on"), ("feign.answer", "feign.else"),
    ("feign.claim", "feign.untrue"), ("secret.message", "secret.hand"), ("secret.thing", "secret.beg"),
    ("secret.seat", "secret.drive"),
)
"""Two notions that ask for a secret or lead round a check, whatever else is said."""

FAINT = (
    ("dodge.asked", "dodge.script"), ("dodge.pieces", "dodge.line"), ("dodge.bar", "dodge.evade"),
    ("dodge.wait", "dodge.early"), ("feign.sign", "feign.unread"), ("dodge.doc", "dodge.sham"),
    ("dodge.evade", "dodge.sham"), ("feign.sign", "dodge.sham"), ("dodge.script", "dodge.balk"),
    ("dodge.pieces", "dodge.sham"), ("dodge.bar", "dodge.early"), ("dodge.asked", "dodge.sham"),
    ("dodge.wait", "dodge.off"), ("dodge.guard", "dodge.disable"), ("dodge.script", "feign.else"),
    ("dodge.paper", "dodge.price"), ("dodge.script", "dodge.gain"), ("dodge.goaside", "dodge.unwatched"),
    ("dodge.asked", "dodge.balk"),
)
"""Two notions that lead round a check, but not where the truth is told beside them (dodge.honest)."""

TOGETHER = PLAIN + FAINT
_FAINT = frozenset(map(role_of, FAINT))

NAMED = ("secret.thing", "secret.message")
"""What the client's words name, so that to ask for "it" is to ask for a secret."""


def is_honest(one: Heard) -> bool:
    """Return whether two faint notions stand beside words that have the truth told."""
    return one.match.role in _FAINT and any(
        one.reading.scope_of(match) != "negated" for match in one.beside("dodge.honest", 1))
