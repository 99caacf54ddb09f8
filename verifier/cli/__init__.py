"""The command line: one command, `audit`, whose subcommands are loaded when they are called."""

import gc
import os
import signal
import sys
from importlib import import_module
from typing import Any

import click

COMMANDS = {
    "bank": "Judge frozen answers to a bank, score them, write a sealed run folder.",
    "calibrate": "Fit the investors' minds to a cohort's aggregates.",
    "check": "Judge one answer to one scenario and explain the verdict in numbers.",
    "collect": "Ask an endpoint, store its answers untouched, judge nothing.",
    "compare": "Lay runs and advisors side by side over their common scenarios.",
    "diff": "List the verdicts that a new contract flips, with both reasons.",
    "export": "Write a sealed run for the compliance review: HTML, PDF, workbook, CSV, JSON Lines.",
    "freeze": "Seal a folder or a contract under its digests.",
    "judge": "Lay the judge of a run's episodes beside model judges and labels.",
    "learn": "Learn what words weigh from labelled texts, and put it into a contract.",
    "predicates": "List, show, scaffold and test the clauses.",
    "realism": "Compare the investors of a finished rollout with a cohort's aggregates.",
    "repair": "Find the nearest admissible action, or the clauses in conflict.",
    "replay": "Recompute a sealed document and name the first difference.",
    "reproduce": "Print the paper's tables beside ours.",
    "rollout": "Run matched rollouts: advice meets investors over years of market days.",
    "score": "Score the advisors of a finished rollout against the matched baseline.",
    "sign": "Accept, reject or escalate a run, beside it and chained to it.",
    "thresholds": "Show every number that a contract turns on, and how many verdicts hang on it.",
    "trace": "Import market data into a sealed trace, build a synthetic one, show one.",
    "verify": "Check a folder against its seal, and a run's attestations.",
    "waive": "Waive one clause in one case of a run, until a date and for a reason.",
}

EXIT_CODES = """\b
Exit codes:
  0  everything holds
  1  something audited does not hold
  2  wrong usage
  3  could not be completed: unreadable, missing, unknown version, a clause in ERROR"""


class CommandTable(click.Group):
    """A group that knows names and one-line helps, and imports a command when it is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names in order."""
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return the command, imported now; None for an unknown name."""
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = import_module(f"verifier.cli.{cmd_name}").command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the command table without importing any command."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, COMMANDS[name]) for name in self.list_commands(ctx)])

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Name the nearest command when an unknown one is called."""
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            from difflib import get_close_matches

            near = get_close_matches(args[0], COMMANDS, 1)
            hint = f"; did you mean {near[0]!r}?" if near else ""
            ctx.fail(f"no such command {args[0]!r}{hint}")
        return super().resolve_command(ctx, args)


def _print_version(ctx: click.Context, _: click.Parameter, value: bool) -> None:
    if value and not ctx.resilient_parsing:
        from importlib.metadata import version

        click.echo(f"audit {version('advice-audit')}")
        ctx.exit()


@click.group(cls=CommandTable, epilog=EXIT_CODES, context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--version", is_flag=True, expose_value=False, is_eager=True, callback=_print_version,
              help="Print the version and exit.")
def audit() -> None:
    """Judge an AI advisor's answers as executable actions, before any return is computed."""


def main(args: list[str] | None = None) -> Any:
    """Run the command line and exit with its code; bad input ends with one line, never a traceback."""
    own_process = args is None
    if own_process:
        gc.set_threshold(50_000)  # almost nothing that start-up makes is garbage
        for number in (signal.SIGINT, signal.SIGTERM):  # a killed command cleans up like an interrupted one
            signal.signal(number, _interrupt)
    os.environ["PYDANTIC_DISABLE_PLUGINS"] = "__all__"  # what decides is not open to plugins
    try:
        code = audit.main(args, prog_name="audit", standalone_mode=False)
    except click.exceptions.Abort:
        _fail("interrupted; nothing was written half", 3)
    except click.ClickException as error:
        error.show()
        sys.exit(2)
    except KeyboardInterrupt:
        _fail("interrupted; nothing was written half", 3)
    except BrokenPipeError:
        _silence_stdout()
        sys.exit(3)
    except OSError as error:
        _fail(f"{error.filename or 'output'}: {error.strerror}; check the path, its permissions and the free space", 3)
    except Exception as error:
        from scenarios.errors import AuditError

        if not isinstance(error, AuditError) and not _interrupted:
            raise
        _fail(str(error), 3)
    if own_process:
        gc.freeze()  # nor is it worth a search for garbage on the way out
    sys.exit(code if isinstance(code, int) else 0)


_interrupted: list[object] = []
"""Not empty once a signal came: an extension may turn the KeyboardInterrupt into an error of its own."""


def _interrupt(*_: object) -> None:
    _interrupted.append(True)
    raise KeyboardInterrupt


def _fail(message: str, code: int) -> None:
    from verifier.cli.output import say

    say(f"audit: {'interrupted; nothing was written half' if _interrupted else message}", err=True)
    sys.exit(3 if _interrupted else code)


def _silence_stdout() -> None:
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
