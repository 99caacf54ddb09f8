"""The hyperparameters of the impact scores, as sealed data: weights, and what one step of each score is worth."""

from fractions import Fraction
from pathlib import Path

from scenarios.errors import ReplayError
from scenarios.load import resolve
from scenarios.manifest import ScoresConfig
from scenarios.sealed import load_manifest

UNITS = ("return_unit", "risk_unit", "influence_unit", "retention_unit", "deposit_unit", "duration_unit")
"""The units that a sensitivity analysis moves."""


def shipped_configs() -> tuple[ScoresConfig, ...]:
    """Return what manifests/configs/ holds: the paper's weights with our units, and the same for short traces.

    A slice shorter than the scored horizon of retention has no total; 30 sessions are the paper's shortest horizon.
    """
    return (
        ScoresConfig(id="fund-advice-scores-1"),
        ScoresConfig(id="fund-advice-scores-short-1", retention_scored=30),
    )


def load_config(path: Path | None = None) -> ScoresConfig:
    """Return a configuration from its sealed file, or by the name of a shipped one; the paper's weights by default.

    Raises:
        ReplayError, SealError: it is unreadable, of another kind, or differs from its seal.
    """
    where = resolve(path or Path("fund-advice-scores-1"), "configs")
    config = load_manifest(where)
    if not isinstance(config, ScoresConfig):
        raise ReplayError(str(where), "is no configuration of scores", "name one such as fund-advice-scores-1")
    return config


def scaled(config: ScoresConfig, unit: str, factor: Fraction) -> ScoresConfig:
    """Return the configuration with one unit multiplied."""
    return config.model_copy(update={unit: getattr(config, unit) * factor})
