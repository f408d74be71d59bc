"""Transfer: features learned on one polynomial, a new head for another."""

from featdash.ui import transfer_bench_part, transfer_part
from featdash.ui.lesson_page import parts

parts((transfer_part.PART, transfer_bench_part.PART))
