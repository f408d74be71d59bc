"""One step: why one gradient step finds the subspace, which line of Algorithm 1 does what, and when it must fail."""

from featdash.ui import ablation_part, degenerate_part, lemma_part, spectrum_part
from featdash.ui.lesson_page import parts

parts((lemma_part.PART, spectrum_part.PART, ablation_part.PART, degenerate_part.PART))
