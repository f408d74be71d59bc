"""Kernels: what they can and cannot adapt to, and what they cost."""

from featdash.ui import adaptivity_part, dimension_part, latent_part, smoothness_part, solvers_part, support_part
from featdash.ui.lesson_page import parts

parts(
    (
        dimension_part.PART,
        support_part.PART,
        smoothness_part.PART,
        latent_part.PART,
        solvers_part.PART,
        adaptivity_part.PART,
    )
)
