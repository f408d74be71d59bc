"""What the «Try» buttons of «Your own data» promise, at three seeds."""

import pytest
from trial_runs import computed, expects, run_of


def over_seeds(label):
    spec = run_of("own-data", label).spec
    return [computed("own-data", type(spec)(**(vars(spec) | {"seed": seed}))).summary for seed in (0, 7, 11)]


def clear(summary):
    return {(pair["better"], pair["worse"]) for pair in summary["clear"]}


@expects("own-data", "Diabetes: ten columns")
def test_on_diabetes_no_difference_is_shown_but_to_the_network():
    for found in over_seeds("Diabetes: ten columns"):
        first = ("linear", "laplace", "rfm", "algorithm1")
        assert all("network" in pair for pair in clear(found))
        assert [found["methods"][name]["risk"] for name in first] == pytest.approx([0.52] * 4, abs=0.04)


@expects("own-data", "Wine: one cultivar of three")
def test_on_wine_the_kernel_that_learns_is_clearly_below():
    for found in over_seeds("Wine: one cultivar of three"):
        assert {("rfm", other) for other in ("linear", "laplace", "algorithm1")} <= clear(found)
        risks = {name: row["risk"] for name, row in found["methods"].items()}
        assert risks.pop("rfm") < 0.1
        assert min(risks.values()) > 0.2
        assert found["layers"]["rfm"]["leading"][0] == "proline"


@expects("own-data", "Breast cancer: malignant or not")
def test_on_breast_cancer_it_is_clearly_below_ridge_and_its_own_start():
    for found in over_seeds("Breast cancer: malignant or not"):
        assert {("rfm", "linear"), ("rfm", "laplace")} <= clear(found)
        assert found["layers"]["rfm"]["leading"][0] == "worst radius"
