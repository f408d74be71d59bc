"""Every claim of the pages, by its kind."""

from featdash.lessons import PAGES, lessons_of
from featdash.ui.page.claims_view import every_claim

every_claim({path: lessons_of(path) for path in PAGES})
