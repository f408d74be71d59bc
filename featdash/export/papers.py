"""The papers that the lessons come from; a lesson names them by their keys."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Paper:
    """An entry of a bibliography.

    kind : BibTeX's type of the entry; fields : in their order, as LaTeX reads them.
    """

    kind: str
    fields: Mapping[str, str]


PAPERS: dict[str, Paper] = {
    "damian2022": Paper(
        "inproceedings",
        {
            "author": "Damian, Alex and Lee, Jason D. and Soltanolkotabi, Mahdi",
            "title": "Neural Networks can Learn Representations with Gradient Descent",
            "booktitle": "Proceedings of Thirty Fifth Conference on Learning Theory",
            "series": "Proceedings of Machine Learning Research",
            "volume": "178",
            "pages": "5413--5452",
            "year": "2022",
            "url": "https://proceedings.mlr.press/v178/damian22a.html",
        },
    ),
    "damian2024": Paper(
        "inproceedings",
        {
            "author": "Damian, Alex and Pillaud-Vivien, Loucas and Lee, Jason D. and Bruna, Joan",
            "title": "Computational-Statistical Gaps in {Gaussian} Single-Index Models",
            "booktitle": "Proceedings of Thirty Seventh Conference on Learning Theory",
            "series": "Proceedings of Machine Learning Research",
            "volume": "247",
            "year": "2024",
            "url": "https://arxiv.org/abs/2403.05529",
        },
    ),
    "arnaboldi2024": Paper(
        "article",
        {
            "author": "Arnaboldi, Luca and Dandi, Yatin and Krzakala, Florent and Pesce, Luca and Stephan, Ludovic",
            "title": "Repetita Iuvant: Data Repetition Allows {SGD} to Learn High-Dimensional Multi-Index Functions",
            "journal": "arXiv preprint arXiv:2405.15459",
            "year": "2024",
            "url": "https://arxiv.org/abs/2405.15459",
        },
    ),
    "lee2024": Paper(
        "inproceedings",
        {
            "author": "Lee, Jason D. and Oko, Kazusato and Suzuki, Taiji and Wu, Denny",
            "title": "Neural Network Learns Low-Dimensional Polynomials with {SGD} near the "
            "Information-Theoretic Limit",
            "booktitle": "Advances in Neural Information Processing Systems",
            "volume": "37",
            "year": "2024",
            "url": "https://arxiv.org/abs/2406.01581",
        },
    ),
    "ghorbani2021": Paper(
        "article",
        {
            "author": "Ghorbani, Behrooz and Mei, Song and Misiakiewicz, Theodor and Montanari, Andrea",
            "title": "Linearized two-layers neural networks in high dimension",
            "journal": "The Annals of Statistics",
            "volume": "49",
            "number": "2",
            "pages": "1029--1054",
            "year": "2021",
        },
    ),
    "mei2022": Paper(
        "article",
        {
            "author": "Mei, Song and Misiakiewicz, Theodor and Montanari, Andrea",
            "title": "Generalization error of random feature and kernel methods: "
            "Hypercontractivity and kernel matrix concentration",
            "journal": "Applied and Computational Harmonic Analysis",
            "volume": "59",
            "pages": "3--84",
            "year": "2022",
            "url": "https://arxiv.org/abs/2101.10588",
        },
    ),
    "benarous2021": Paper(
        "article",
        {
            "author": "Ben Arous, Gerard and Gheissari, Reza and Jagannath, Aukosh",
            "title": "Online stochastic gradient descent on non-convex losses from high-dimensional inference",
            "journal": "Journal of Machine Learning Research",
            "volume": "22",
            "number": "106",
            "pages": "1--51",
            "year": "2021",
            "url": "https://arxiv.org/abs/2003.10409",
        },
    ),
    "tsiolis2025": Paper(
        "inproceedings",
        {
            "author": "Tsiolis, Konstantinos Christopher and Mousavi-Hosseini, Alireza and Erdogdu, Murat A.",
            "title": "From Information to Generative Exponent: Learning Rate Induces Phase Transitions in {SGD}",
            "booktitle": "Advances in Neural Information Processing Systems",
            "year": "2025",
            "url": "https://arxiv.org/abs/2510.21020",
        },
    ),
    "zhu2025": Paper(
        "article",
        {
            "author": "Zhu, Libin and Davis, Damek and Drusvyatskiy, Dmitriy and Fazel, Maryam",
            "title": "Iteratively reweighted kernel machines efficiently learn sparse functions",
            "journal": "arXiv preprint arXiv:2505.08277",
            "year": "2025",
            "url": "https://arxiv.org/abs/2505.08277",
        },
    ),
    "nishikawa2025": Paper(
        "inproceedings",
        {
            "author": "Nishikawa, Naoki and Song, Yujin and Oko, Kazusato and Wu, Denny and Suzuki, Taiji",
            "title": "Nonlinear transformers can perform inference-time feature learning",
            "booktitle": "Proceedings of the 42nd International Conference on Machine Learning",
            "series": "Proceedings of Machine Learning Research",
            "volume": "267",
            "pages": "46554--46585",
            "year": "2025",
            "url": "https://proceedings.mlr.press/v267/nishikawa25a.html",
        },
    ),
    "zhang2026": Paper(
        "inproceedings",
        {
            "author": "Zhang, Bohan and Wang, Zihao and Fu, Hengyu and Lee, Jason D.",
            "title": "Neural Networks Learn Generic Multi-Index Models Near Information-Theoretic Limit",
            "booktitle": "The Fourteenth International Conference on Learning Representations",
            "year": "2026",
            "url": "https://arxiv.org/abs/2511.15120",
        },
    ),
    "montanari2026": Paper(
        "article",
        {
            "author": "Montanari, Andrea and Wang, Zihao",
            "title": "Phase Transitions for Feature Learning in Neural Networks",
            "journal": "arXiv preprint arXiv:2602.01434",
            "year": "2026",
            "url": "https://arxiv.org/abs/2602.01434",
        },
    ),
    "ren2025": Paper(
        "article",
        {
            "author": "Ren, Yunwei and Nichani, Eshaan and Wu, Denny and Lee, Jason D.",
            "title": "Emergence and scaling laws in {SGD} learning of shallow neural networks",
            "journal": "arXiv preprint arXiv:2504.19983",
            "year": "2025",
            "url": "https://arxiv.org/abs/2504.19983",
        },
    ),
    "abbe2022": Paper(
        "inproceedings",
        {
            "author": "Abbe, Emmanuel and Boix-Adser{\\`a}, Enric and Misiakiewicz, Theodor",
            "title": "The merged-staircase property: a necessary and nearly sufficient condition for {SGD} learning of "
            "sparse functions on two-layer neural networks",
            "booktitle": "Proceedings of Thirty Fifth Conference on Learning Theory",
            "series": "Proceedings of Machine Learning Research",
            "volume": "178",
            "year": "2022",
            "url": "https://arxiv.org/abs/2202.08658",
        },
    ),
    "abbe2023": Paper(
        "inproceedings",
        {
            "author": "Abbe, Emmanuel and Boix-Adser{\\`a}, Enric and Misiakiewicz, Theodor",
            "title": "{SGD} learning on neural networks: leap complexity and saddle-to-saddle dynamics",
            "booktitle": "Proceedings of Thirty Sixth Conference on Learning Theory",
            "series": "Proceedings of Machine Learning Research",
            "volume": "195",
            "pages": "2552--2623",
            "year": "2023",
            "url": "https://proceedings.mlr.press/v195/abbe23a.html",
        },
    ),
    "ba2022": Paper(
        "inproceedings",
        {
            "author": "Ba, Jimmy and Erdogdu, Murat A. and Suzuki, Taiji and Wang, Zhichao and Wu, Denny and "
            "Yang, Greg",
            "title": "High-dimensional asymptotics of feature learning: "
            "how one gradient step improves the representation",
            "booktitle": "Advances in Neural Information Processing Systems",
            "volume": "35",
            "year": "2022",
            "url": "https://arxiv.org/abs/2205.01445",
        },
    ),
    "moniri2024": Paper(
        "inproceedings",
        {
            "author": "Moniri, Behrad and Lee, Donghwan and Hassani, Hamed and Dobriban, Edgar",
            "title": "A theory of non-linear feature learning with one gradient step in two-layer neural networks",
            "booktitle": "Proceedings of the 41st International Conference on Machine Learning",
            "series": "Proceedings of Machine Learning Research",
            "volume": "235",
            "year": "2024",
            "url": "https://arxiv.org/abs/2310.07891",
        },
    ),
    "dandi2024": Paper(
        "article",
        {
            "author": "Dandi, Yatin and Krzakala, Florent and Loureiro, Bruno and Pesce, Luca and Stephan, Ludovic",
            "title": "How two-layer neural networks learn, one (giant) step at a time",
            "journal": "Journal of Machine Learning Research",
            "volume": "25",
            "number": "349",
            "pages": "1--65",
            "year": "2024",
            "url": "https://arxiv.org/abs/2305.18270",
        },
    ),
    "radhakrishnan2024": Paper(
        "article",
        {
            "author": "Radhakrishnan, Adityanarayanan and Beaglehole, Daniel and Pandit, Parthe and Belkin, Mikhail",
            "title": "Mechanism for feature learning in neural networks and backpropagation-free machine learning "
            "models",
            "journal": "Science",
            "volume": "383",
            "number": "6690",
            "pages": "1461--1467",
            "year": "2024",
            "url": "https://doi.org/10.1126/science.adi5639",
        },
    ),
    "shi2022": Paper(
        "inproceedings",
        {
            "author": "Shi, Zhenmei and Wei, Junyi and Liang, Yingyu",
            "title": "A Theoretical Analysis on Feature Learning in Neural Networks: "
            "Emergence from Inputs and Advantage over Fixed Features",
            "booktitle": "International Conference on Learning Representations",
            "year": "2022",
            "url": "https://arxiv.org/abs/2206.01717",
        },
    ),
    "zhou2024": Paper(
        "inproceedings",
        {
            "author": "Zhou, Mo and Ge, Rong",
            "title": "How does Gradient Descent Learn Features: "
            "A Local Analysis for Regularized Two-Layer Neural Networks",
            "booktitle": "Advances in Neural Information Processing Systems",
            "volume": "37",
            "year": "2024",
            "url": "https://arxiv.org/abs/2406.01766",
        },
    ),
    "stone1982": Paper(
        "article",
        {
            "author": "Stone, Charles J.",
            "title": "Optimal Global Rates of Convergence for Nonparametric Regression",
            "journal": "The Annals of Statistics",
            "volume": "10",
            "number": "4",
            "pages": "1040--1053",
            "year": "1982",
        },
    ),
    "donoho1998": Paper(
        "article",
        {
            "author": "Donoho, David L. and Johnstone, Iain M.",
            "title": "Minimax estimation via wavelet shrinkage",
            "journal": "The Annals of Statistics",
            "volume": "26",
            "number": "3",
            "pages": "879--921",
            "year": "1998",
        },
    ),
}
