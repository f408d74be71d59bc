"""The numbers that the page Emergence promises, seeds 0-2: python tests/benchmarks/emergence_numbers.py [--seeds 3]

D = 100, d = 500, k = 5, p₀ = ½, m = 300, n = 20 000 a step. For each law and seed: accuracy of the tuned ridge heads,
that on the network's features after steps 0, 1, 2, and the median |cos| with Σ_A M_j. The last lines say whether the
claims hold: structured network >= 0.98 and cosine >= 0.98, fixed features <= 0.90, everything unstructured within 0.03
of a half.
"""

import argparse

from featdash.lessons.emergence.recipe import EmergenceSpec
from featdash.lessons.emergence.run import run

METHODS = ("network", "random_features", "ntk", "linear")


def claims(structured: dict, unstructured: dict) -> dict[str, bool]:
    return {
        "network >= 0.98": structured["network"]["accuracy"] >= 0.98,
        "median |cos| >= 0.98": structured["median_abs_cos"][2] >= 0.98,
        "fixed features <= 0.90": max(structured[name]["accuracy"] for name in METHODS[1:]) <= 0.9,
        "unstructured 0.5 ± 0.03": all(abs(unstructured[name]["accuracy"] - 0.5) <= 0.03 for name in METHODS),
    }


def row(seed: int, law: str, numbers: dict) -> str:
    accuracies = "".join(f"{numbers[name]['accuracy']:17.3f}" for name in METHODS)
    heads = " ".join(f"{value:.3f}" for value in numbers["head_accuracy"][:3])
    cosines = " ".join(f"{value:.3f}" for value in numbers["median_abs_cos"])
    return f"{seed:>4} {law:>13}{accuracies}   heads {heads}   |cos| {cosines}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, default=3)
    print(f"{'seed':>4} {'inputs':>13}" + "".join(f"{name:>17}" for name in METHODS))
    for seed in range(parser.parse_args().seeds):
        *_, result = run(EmergenceSpec(seed=seed, steps=1))
        for law, numbers in result.summary.items():
            print(row(seed, law, numbers))
        print("     " + ", ".join(f"{name}: {holds}" for name, holds in claims(**result.summary).items()), flush=True)


if __name__ == "__main__":
    main()
