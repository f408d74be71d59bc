"""Sample complexity: risk against n for three methods, and the map of d against n."""

from featdash.ui import phase_map_part, sweep_part
from featdash.ui.lesson_page import parts

parts((sweep_part.PART, phase_map_part.PART))
