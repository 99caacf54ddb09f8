"""The sample exports: `python -m verifier.exports.samples` writes docs/samples again.

docs/samples/run is a sealed run, the shipped answers of one advisor to the conduct bank, and beside it stands every
export of it. Both are made anew; the old ones go once the new ones are made.
"""

import shutil
import tempfile
from pathlib import Path

from scenarios.files import write_folder
from scenarios.load import SHIPPED, load_answers, load_bank
from scenarios.sealed import load_contract
from verifier.bank import sealed_run
from verifier.contract import Judge
from verifier.exports.formats import FORMATS, writers
from verifier.exports.review import load_review

SAMPLES = Path(__file__).parents[2] / "docs" / "samples"
BANK, ADVISOR = "conduct-1", "reckless"
"""Bank and contract, and who is judged."""


def sample_run() -> dict[str, bytes]:
    """Return the files of the sealed run, judged by the clauses that are installed."""
    bank = load_bank(SHIPPED / BANK)
    answers = load_answers(SHIPPED / "answers" / BANK / ADVISOR, bank)
    contract = load_contract(SHIPPED / "contracts" / f"{BANK}.json")
    return sealed_run(Judge(contract), bank, [answers], "tolerant-1")[2]


def sample_files(run: Path) -> dict[str, bytes]:
    """Return every export of a run by file name."""
    review = load_review(run)
    return {name: data for write in writers(FORMATS) for name, data in write(review).items()}


def write_samples(target: Path = SAMPLES) -> None:
    """Write the run and every sample; what stands there goes once they are made."""
    run = sample_run()
    with tempfile.TemporaryDirectory() as folder:
        write_folder(Path(folder) / "run", run)
        made = sample_files(Path(folder) / "run")
    shutil.rmtree(target, ignore_errors=True)
    write_folder(target, {**{f"run/{name}": data for name, data in run.items()}, **made})


if __name__ == "__main__":
    write_samples()
