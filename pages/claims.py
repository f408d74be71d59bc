"""Every claim of the pages, by its kind."""

from featdash.lessons import PAGES
from featdash.ui.claims_view import every_claim

every_claim({path: [folder.replace("_", "-") for folder in folders] for path, folders in PAGES.items()})
