"""Response times and weights arrive wherever scikit-learn passes choices on."""

import numpy as np
import pytest
import sklearn
from sklearn.model_selection import GridSearchCV, KFold, cross_val_predict, cross_validate
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import StandardScaler

from tacit import ddm
from tacit.estimators import ESTIMATORS, Likelihood

X = np.tile(np.random.default_rng(0).normal(size=(12, 3)), (12, 1))
CHOICE, TIME = ddm.sample(X @ [0.9, -0.6, 0.3], 1.1, rng=np.random.default_rng(1))
ALL = slice(None)
FOLDS = KFold(3, shuffle=True, random_state=0)


@pytest.fixture(params=sorted(ESTIMATORS))
def estimator(request):
    return ESTIMATORS[request.param]()


@pytest.fixture
def routing():
    with sklearn.config_context(enable_metadata_routing=True):
        yield


def by_hand(estimator, train, test):
    """Fit to the scaled trials of one fold; return the model and the scaled rest."""
    scaler = StandardScaler(with_mean=False).fit(X[train])
    estimator.fit(scaler.transform(X[train]), CHOICE[train], response_time=TIME[train])
    return estimator, scaler.transform(X[test])


@pytest.mark.usefixtures("routing")
def test_times_travel_through_pipelines_and_cross_validation(estimator):
    pipeline = make_pipeline(StandardScaler(with_mean=False), estimator)
    times = {"response_time": TIME}
    scores = cross_validate(pipeline, X, CHOICE, cv=FOLDS, params=times)["test_score"]
    predicted = cross_val_predict(
        pipeline, X, CHOICE, cv=FOLDS, params=times, method="decision_function"
    )
    for (train, test), score in zip(FOLDS.split(X), scores, strict=True):
        model, rest = by_hand(estimator, train, test)
        assert score == model.score(rest, CHOICE[test])
        np.testing.assert_array_equal(predicted[test], model.decision_function(rest))
    assert np.mean(scores) > 0.6


@pytest.mark.usefixtures("routing")
def test_times_travel_through_a_grid_search_over_a_pipeline():
    pipeline = make_pipeline(StandardScaler(with_mean=False), Likelihood())
    ridges = [0.0, 30.0, 3000.0]
    search = GridSearchCV(pipeline, {"likelihood__ridge": ridges}, cv=FOLDS, scoring="neg_log_loss")
    search.fit(X, CHOICE, response_time=TIME)
    for ridge, score in zip(ridges, search.cv_results_["mean_test_score"], strict=True):
        losses = []
        for train, test in FOLDS.split(X):
            model, rest = by_hand(Likelihood(ridge=ridge), train, test)
            chosen = (CHOICE[test] > 0).astype(int)
            losses.append(-np.log(model.predict_proba(rest)[np.arange(len(test)), chosen]).mean())
        assert score == pytest.approx(-np.mean(losses))
    best, _ = by_hand(Likelihood(ridge=search.best_params_["likelihood__ridge"]), ALL, ALL)
    np.testing.assert_array_equal(search.best_estimator_["likelihood"].coef_, best.coef_)


@pytest.mark.usefixtures("routing")
def test_weights_and_times_travel_through_a_grid_search(estimator):
    name, value = next(iter(estimator.get_params().items()), (None, None))
    search = GridSearchCV(estimator, {name: [value]} if name else {}, cv=3)
    weight = np.arange(len(X)) % 3 + 1.0
    search.fit(X, CHOICE, response_time=TIME, sample_weight=weight)
    found = search.best_estimator_.coef_
    estimator.fit(X, CHOICE, response_time=TIME, sample_weight=weight)
    np.testing.assert_array_equal(found, estimator.coef_)


@pytest.mark.usefixtures("routing")
def test_a_grid_search_without_the_times_says_what_is_missing():
    search = GridSearchCV(Likelihood(), {"ridge": [0.0, 1.0]}, cv=3)
    with pytest.raises(ValueError, match="Likelihood needs `response_time`"):
        search.fit(X, CHOICE)


def test_times_travel_by_name_where_routing_is_off(estimator):
    pipeline = Pipeline([("scale", StandardScaler(with_mean=False)), ("model", estimator)])
    search = GridSearchCV(pipeline, {"scale__with_std": [True]}, cv=3)
    search.fit(X, CHOICE, model__response_time=TIME)
    found = search.best_estimator_["model"].coef_
    np.testing.assert_array_equal(found, by_hand(estimator, ALL, ALL)[0].coef_)
