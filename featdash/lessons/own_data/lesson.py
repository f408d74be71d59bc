"""Your own data, on its page: five methods on one table, and what their layers look at."""

from __future__ import annotations

from typing import Annotated

import streamlit as st

from featdash.figures.picture import Picture, Theme
from featdash.lessons.own_data.frames import FitTable
from featdash.lessons.own_data.pictures.looks import column_map
from featdash.lessons.own_data.pictures.risks import fold_risks, pair_table
from featdash.lessons.own_data.recipe import EXPERIMENT, is_own
from featdash.ui.kit.form import Form, OwnArrays
from featdash.ui.page import table_upload
from featdash.ui.stage.lesson import Lesson, LessonText, Trial
from featdash.ui.stage.panels import Panel
from featdash.ui.stage.shown import shown

TEXT = LessonText(
    question="Does a learned layer find what matters in a table?",
    formula=r"$x \mapsto C^{-1/2}(x-\mu)/s$, then ridge, a fixed kernel, RFM, Algorithm 1 and a trained network",
    reading="""
- **Above**: a row for each layer, a cell for each column of the table. Its colour is the share of the layer's squared
  response to that column, in units of the column's standard deviation; a row sums to 1. *Ridge* shows its squared
  coefficients. The *fixed kernel* looks at all whitened directions alike: its row is what whitening alone gives. *RFM*
  shows its matrix M, *Algorithm 1* its neurons after the step, the *network* its neurons, each by its outgoing weight.
  Where columns are correlated a share may be put on either; trust large differences only.
- **Below, left**: squared error on rows that took no part in the fit, divided by the variance of the labels: it is 1 if
  you predict their mean. Small marks are the five folds, a bar is one standard error of their mean.
- **Below, right**: what the folds say of two methods. Differences are paired, fold by fold. A number is shown where the
  mean difference is more than 2.78 of its standard errors from zero, which chance alone exceeds in about one pair of
  twenty; everywhere else there is a **?**: *no difference shown*.
- **The split**: rows are put into five parts once. Each part tests once; the part after it chooses λ, the kernel's
  length, RFM's round and the network's stopping time; the other three train. All five methods see the same rows.
- **What Gaussian theory says here**: after whitening the columns have mean 0 and covariance I, as the theory asks. It
  also asks that they be normal and independent, and that labels be a polynomial of a few directions. No table is like
  that. The guarantees of the other pages do not hold here; what you see is a measurement.
""",
    source="""
RFM: Radhakrishnan, Beaglehole, Pandit and Belkin, *Science* 383 (2024). Algorithm 1: Damian, Lee and Soltanolkotabi,
COLT 2022. The standard error: Nadeau and Bengio, *Machine Learning* 52 (2003). The run is
`featdash.lessons.own_data.run.run`. Ours: the folds, the whitening, which leaves directions of less than a hundredth of
a column's variance as small as they are, classes as numbers, the sizes, and that the holdout chooses RFM's round.
""",
    trials=(
        Trial(
            "Diabetes: ten columns",
            {"dataset": "diabetes"},
            "Ridge, the fixed kernel, RFM and Algorithm 1 end near a risk of 0.5, and no difference is shown between "
            "any two of them (seeds 0, 7, 11).",
        ),
        Trial(
            "Wine: one cultivar of three",
            {"dataset": "wine"},
            "RFM ends below 0.1, clearly below ridge, the fixed kernel and Algorithm 1, all above 0.2. Its M looks at "
            "proline most (seeds 0, 7, 11).",
        ),
        Trial(
            "Breast cancer: malignant or not",
            {"dataset": "breast_cancer"},
            "RFM is clearly below ridge and the fixed kernel, and looks at worst radius most (seeds 0, 7, 11).",
        ),
    ),
    papers=("damian2022", "radhakrishnan2024"),
    controls=("dataset", "seed"),
    words={
        "planted": "synthetic, two planted columns",
        "diabetes": "diabetes: progression",
        "breast_cancer": "breast cancer: malignant",
        "wine": "wine: second cultivar",
        "digits": "digits: odd or even",
        "upload": "a file of your own",
    },
)


def controls(form: Form) -> None:
    """Draw the choice of a table, the control for the visitor's own file, and the usual settings."""
    form.control("dataset")
    if form.get("dataset") == "upload":
        with st.container(border=True, gap="small"):
            table_upload.draw()
    form.column(TEXT.controls[1:], without=("dataset",), sliders=())


Fits = Annotated[FitTable, "fits"]


@shown
def risks(table: Fits, theme: Theme) -> Picture:
    """The risk on every fold, with mean and error."""
    return fold_risks(table.risk, table.test_to_train, theme=theme)


@shown
def pairs(table: Fits, theme: Theme) -> Picture:
    """The differences of all pairs of methods over the folds."""
    return pair_table(table.risk, table.test_to_train, theme=theme)


@shown
def looks(table: Fits, theme: Theme) -> Picture:
    """How much each layer looks at each column."""
    return column_map(table.look, table.columns.tolist(), table.planted.tolist(), theme=theme)


PANELS = (
    Panel("own-looks", looks, wide=True),
    Panel("own-risk", risks),
    Panel("own-pairs", pairs),
)


LESSON = Lesson(
    "Your own data",
    EXPERIMENT,
    TEXT,
    PANELS,
    controls=controls,
    own=OwnArrays(table_upload.inputs, table_upload.began),
    remark=lambda spec: "Your own table: no link" if is_own(spec) else "Same rows ✓ same holdout ✓ same folds ✓",
)
