"""The errors that a user can mend: where it is, what was wrong, what to do.

A broken contract is a finding, never an exception; a bug is any other exception. What is left,
unusable input, is one of the two classes here, and the command line turns it into exit code 3.
"""


class AuditError(Exception):
    """Input that cannot be used, with its place and its remedy.

    Args:
        where: file, line or JSON Pointer of the fault.
        what: what was found there.
        remedy: what the reader can do about it.
    """

    def __init__(self, where: str, what: str, remedy: str) -> None:
        super().__init__(f"{where}: {what}; {remedy}")
        self.where = where
        self.what = what
        self.remedy = remedy


class ScenarioError(AuditError):
    """A scenario, contract, answer or manifest cannot be used as it stands."""


class ReplayError(AuditError):
    """A sealed record cannot be replayed: unreadable, of an unknown version, or incomplete."""


class SealError(AuditError):
    """A sealed file or folder does not match its seal.

    Args:
        where, what, remedy: as in `AuditError`.
        stage: the replay stage that the difference belongs to.
        stored, found: both sides, where the difference is between two values.
    """

    def __init__(
        self, where: str, what: str, remedy: str, stage: str = "manifest", *, stored: str = "", found: str = ""
    ) -> None:
        super().__init__(where, what, remedy)
        self.stage = stage
        self.stored = stored
        self.found = found


class MissingError(SealError):
    """A file that a manifest lists is not there or cannot be read, so that nothing can be said of it."""
