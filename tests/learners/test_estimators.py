"""The learners of all methods that race keep scikit-learn's contract and tune on the holdout they are given."""

import numpy as np
import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

import featdash.learners
from featdash.learners.feature_regressor import training_and_holdout
from featdash.learners.methods import METHODS, PREDICTORS, RACING

LEARNERS = [METHODS[name].load() for name in RACING]


@parametrize_with_checks([learner(width=64, random_state=0) for learner in LEARNERS])
def test_the_contract_of_scikit_learn(estimator, check):
    check(estimator)


def test_the_package_offers_the_learners_by_the_names_of_their_classes():
    assert [getattr(featdash.learners, learner.__name__) for learner in LEARNERS] == LEARNERS
    with pytest.raises(AttributeError, match="no attribute 'Oracle'"):
        featdash.learners.Oracle  # noqa: B018


@pytest.fixture(scope="module")
def sample():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((240, 4))
    return X, X[:, 0] ** 2 + X[:, 1] + rng.standard_normal(240)


@pytest.mark.parametrize("learner", LEARNERS)
def test_lambda_is_the_best_of_those_offered_on_the_given_holdout(learner, sample):
    X, y = sample
    lams = [1e-3, 1e-1, 1e1, 1e3]
    training, holdout = (X[:160], y[:160]), (X[160:], y[160:])
    model = learner(width=20, lams=lams, random_state=1).fit(*training, holdout=holdout)
    risks = []
    for lam in lams:
        one = learner(width=20, lams=[lam], random_state=1).fit(*training, holdout=holdout)
        risks.append(np.mean((one.predict(holdout[0]) - holdout[1]) ** 2))
    assert model.lam_ == lams[np.argmin(risks)]
    # the fit multiplies in single precision, the prediction in double
    assert model.path_.risk("holdout", lams) == pytest.approx(risks, rel=1e-5)


def test_two_samples_are_enough_to_set_one_apart():
    X = np.arange(6.0).reshape(2, 3)
    training, holdout = training_and_holdout(X, np.ones(2), None, np.random.default_rng(0))
    assert sorted([*training[0].tolist(), *holdout[0].tolist()]) == X.tolist()
    assert len(holdout[1]) == 1
    with pytest.raises(ValueError, match="X must have at least 2 rows"):
        training_and_holdout(X[:1], np.ones(1), None, np.random.default_rng(0))


@pytest.mark.parametrize("learner", LEARNERS)
def test_a_holdout_of_other_width_is_refused(learner, sample):
    X, y = sample
    with pytest.raises(ValueError, match="holdout must have 4 features, got 3; give it as X is given"):
        learner(width=4).fit(X, y, holdout=(X[:, :3], y))


@pytest.mark.parametrize("name", RACING)
def test_the_table_tells_what_a_learner_is(name, sample):
    X, y = sample
    method, model = METHODS[name], METHODS[name].load()(width=20, random_state=0).fit(X, y)
    assert bool(model.layer_.linear.alpha or model.layer_.linear.beta.any()) == method.removes_linear
    assert hasattr(model.layer_, "network") == method.neurons
    if method.neurons:
        assert model.layer_.network.mirrored == (not method.steps)
        assert len(model.weights_) == (20 if method.steps else 10) * (4 + 2 if method.tangent else 1)
    else:
        assert len(model.weights_) == 240 * 4 / 5, "a feature a sample, but for those set apart"


@pytest.mark.parametrize("name", PREDICTORS)
def test_what_is_fitted_for_a_comparison_of_dimensions_exists(name):
    assert callable(METHODS[name].predictor.load())
