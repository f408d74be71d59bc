"""Recipes on a target that follows one direction alone."""

from __future__ import annotations

from dataclasses import dataclass

from featdash.recipes import settings
from featdash.recipes.spec import Spec
from featdash.theory.target import PolynomialTarget, number_of_variables, resolve_target


@dataclass(frozen=True)
class SingleDirectionSpec(Spec):
    """A recipe whose target must have rank 1."""

    target: str = settings.target("transfer", about="One that follows a single direction.")

    def check_together(self) -> None:
        rank = self.small_target().rank
        if rank != 1:
            raise ValueError(
                f"target must follow a single direction, got {rank} of them; take one such as He3(z1)/sqrt(6)"
            )

    def small_target(self) -> PolynomialTarget:
        """The target with no more inputs than it has variables, to be evaluated at many points."""
        return resolve_target(self.target, number_of_variables(self.target))
