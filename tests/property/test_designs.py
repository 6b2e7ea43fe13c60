import hypothesis.extra.numpy as hnp
import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize

from tacit.designs import Design, apportion, choice_information, solve, solve_many
from tacit.errors import DataError
from tacit.records import Items, QuerySpace

GRID = st.integers(-8, 8).map(lambda number: number / 4)
KINDS = st.sampled_from([QuerySpace.all_pairs, QuerySpace.against_reference])


@st.composite
def spaces(draw: st.DrawFn, *, most: int = 7) -> QuerySpace:
    shape = draw(st.tuples(st.integers(2, most), st.integers(1, 4)))
    return draw(KINDS)(Items(draw(hnp.arrays(float, shape, elements=GRID))))


@st.composite
def problems(draw: st.DrawFn) -> tuple[QuerySpace, list[int], np.ndarray | None]:
    space = draw(spaces())
    active = draw(st.lists(st.integers(0, space.items.n_items - 1), min_size=2, unique=True))
    positive = hnp.arrays(float, space.n_queries, elements=st.floats(0.05, 5.0))
    return space, sorted(active), draw(st.none() | positive)


def solved(space: QuerySpace, active: list[int], weights: np.ndarray | None, **options) -> Design:
    try:
        return solve(space, active, query_weights=weights, use_closed_forms=False, **options)
    except DataError:
        assume(False)
        raise


def differences(space: QuerySpace, active: list[int]) -> np.ndarray:
    first, second = np.triu_indices(len(active), 1)
    features = space.items.features[active]
    return features[first] - features[second]


def largest_variance(
    space: QuerySpace, active: list[int], weights: np.ndarray | None, shares: np.ndarray
) -> float:
    """Return the objective straight from its definition, for shares that are all positive."""
    X = space.all_vectors()
    rates = shares if weights is None else shares * weights
    Y = differences(space, active)
    inverse = np.linalg.pinv(X.T @ (X * rates[:, None]), rcond=1e-12, hermitian=True)
    return float(np.einsum("ij,jk,ik->i", Y, inverse, Y).max())


@given(problems())
@settings(max_examples=100)
def test_shares_are_on_the_simplex_and_achieve_their_objective(problem):
    space, active, weights = problem
    design = solved(space, active, weights)
    assert design.converged
    assert design.gap <= 1e-3
    assert (design.shares > 0).all()
    assert design.shares.sum() == pytest.approx(1, abs=1e-12)
    assert (np.diff(design.indices) > 0).all()
    # A little of every query keeps the information regular. It costs as little, but may also gain
    # up to the gap, where the design leaves a direction faint.
    mixed = (1 - 1e-7) * design.dense() + 1e-7 / space.n_queries
    achieved = largest_variance(space, active, weights, mixed)
    assert achieved <= design.objective * (1 + 1e-6) + 1e-12
    assert achieved >= design.objective / (1 + design.gap) * (1 - 1e-6) - 1e-12


@given(problems(), st.randoms(use_true_random=False))
@settings(max_examples=100)
def test_no_other_design_is_below_the_certified_bound(problem, random):
    space, active, weights = problem
    design = solved(space, active, weights)
    rng = np.random.default_rng(random.getrandbits(32))
    bound = design.objective / (1 + design.gap)
    near = design.dense() + 1e-6
    for shares in [*rng.dirichlet(np.ones(space.n_queries), 20), near / near.sum()]:
        regular = 0.999 * shares + 0.001 / space.n_queries
        assert largest_variance(space, active, weights, regular) >= bound * (1 - 1e-9)


@given(problems())
@settings(max_examples=25, deadline=None)
def test_a_slow_independent_solver_agrees(problem):
    space, active, weights = problem
    assume(differences(space, active).any())
    design = solved(space, active, weights, tolerance=1e-5)
    X = space.all_vectors() * (1 if weights is None else np.sqrt(weights)[:, None])
    _, sizes, axes = np.linalg.svd(X, full_matrices=False)
    spanned = sizes > 1e-9 * sizes[0]
    X = X @ axes[spanned].T
    Y = differences(space, active) @ axes[spanned].T

    # Minimise t over shares v of the simplex: convex, with smooth constraints t >= y'A^-1 y.
    def variances(shares: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        inverse = np.linalg.inv(X.T @ (X * shares[:, None]))
        return np.einsum("ij,jk,ik->i", Y, inverse, Y), -((Y @ inverse @ X.T) ** 2)

    even = np.full(len(X), 1 / len(X))
    scale = variances(even)[0].max()
    found = minimize(
        lambda v: v[-1],
        np.append(even, 1.0),
        jac=lambda v: np.append(0 * v[:-1], 1.0),
        bounds=[(1e-7, 1)] * len(X) + [(0, None)],
        constraints=[
            {
                "type": "ineq",
                "fun": lambda v: v[-1] - variances(v[:-1])[0] / scale,
                "jac": lambda v: np.column_stack([-variances(v[:-1])[1] / scale, np.ones(len(Y))]),
            },
            {
                "type": "eq",
                "fun": lambda v: v[:-1].sum() - 1,
                "jac": lambda v: np.append(0 * v[:-1] + 1, 0.0),
            },
        ],
        method="SLSQP",
        options={"maxiter": 200, "ftol": 1e-9},
    )
    shares = np.maximum(found.x[:-1], 1e-7)
    reached = variances(shares / shares.sum())[0].max()
    assert reached >= design.objective / (1 + design.gap) * (1 - 1e-7)
    # SLSQP may give up, but where it says it is done the two agree.
    if found.success:
        assert reached == pytest.approx(design.objective, rel=1e-3)


@given(problems(), st.randoms(use_true_random=False))
@settings(max_examples=50)
def test_invertible_maps_of_the_features_do_not_matter(problem, random):
    space, active, weights = problem
    design = solved(space, active, weights)
    rng = np.random.default_rng(random.getrandbits(32))
    size = space.items.n_features
    rotation, _ = np.linalg.qr(rng.normal(size=(size, size)))
    bent = type(space)(Items(space.items.features @ (rotation * rng.uniform(0.1, 10, size))))
    other = solved(bent, active, weights)
    assert other.objective == pytest.approx(design.objective, rel=1.1e-3, abs=1e-12)


@given(problems(), st.randoms(use_true_random=False))
@settings(max_examples=50)
def test_the_order_of_the_items_does_not_matter(problem, random):
    space, active, weights = problem
    design = solved(space, active, weights)
    order = list(range(space.items.n_items))
    random.shuffle(order)
    place = np.argsort(order)
    shuffled = type(space)(Items(space.items.features[order]))
    if isinstance(shuffled, type(QuerySpace.against_reference(space.items))):
        query_order = np.array(order)
    else:
        first, second = shuffled.pairs(np.arange(space.n_queries))
        a, b = np.array(order)[first], np.array(order)[second]
        query_order = space.index(np.minimum(a, b), np.maximum(a, b))
    other = solved(
        shuffled,
        [int(place[item]) for item in active],
        None if weights is None else weights[query_order],
    )
    assert other.objective == pytest.approx(design.objective, rel=1.1e-3, abs=1e-12)


@given(n_items=st.integers(2, 9), data=st.data(), kind=KINDS)
@settings(max_examples=50)
def test_closed_forms_are_what_the_solver_finds(n_items, data, kind):
    space = kind(Items.one_hot(n_items))
    active = data.draw(st.lists(st.integers(0, n_items - 1), min_size=2, unique=True))
    positive = hnp.arrays(float, space.n_queries, elements=st.floats(0.05, 5.0))
    weights = data.draw(positive) if kind is QuerySpace.against_reference else None
    closed = solve(space, active, query_weights=weights)
    assert closed.status == "closed form"
    iterated = solved(space, active, weights, tolerance=1e-6)
    assert iterated.status == "optimal"
    assert closed.objective == pytest.approx(iterated.objective, rel=2e-6)
    mixed = (1 - 1e-9) * closed.dense() + 1e-9 / space.n_queries
    achieved = largest_variance(space, active, weights, mixed)
    assert achieved == pytest.approx(closed.objective, rel=1e-6)


@given(spaces(), st.data())
@settings(max_examples=50)
def test_a_batch_is_its_problems_one_by_one_and_warm_starts_end_where_cold_ones_do(space, data):
    shape = (data.draw(st.integers(1, 4)), space.items.n_items)
    masks = data.draw(hnp.arrays(bool, shape))
    masks[~masks.any(axis=1), 0] = True
    weights = data.draw(
        st.none() | hnp.arrays(float, (len(masks), space.n_queries), elements=st.floats(0.1, 2.0))
    )
    try:
        batch = solve_many(space, masks, query_weights=weights)
    except DataError:
        assume(False)
        raise
    parents = solve_many(space, np.ones_like(masks), query_weights=weights)
    warm = solve_many(space, masks, query_weights=weights, start=parents)
    for row, (cold, warmed) in enumerate(zip(batch, warm, strict=True)):
        own = None if weights is None else weights[row]
        single = solve(space, masks[row], query_weights=own)
        np.testing.assert_array_equal(single.dense(), cold.dense())
        assert warmed.objective == pytest.approx(cold.objective, rel=1.1e-3, abs=1e-12)
        assert warmed.converged


@given(
    shares=hnp.arrays(float, st.integers(1, 12), elements=st.floats(1e-3, 1.0)),
    extra=st.integers(0, 500),
)
def test_rounding_spends_every_trial_and_keeps_the_promised_information(shares, extra):
    shares = shares / shares.sum()
    n_trials = len(shares) + extra
    counts = apportion(shares, n_trials)
    assert counts.sum() == n_trials
    assert (counts >= 1).all()
    # Pukelsheim & Rieder: information of at least n_trials - n_support trials
    assert (counts >= extra * shares - 1e-9).all()


@given(spaces(), st.data())
@settings(max_examples=50)
def test_choice_information_is_the_slope_of_the_logistic_curve(space, data):
    theta = data.draw(hnp.arrays(float, space.items.n_features, elements=st.floats(-3, 3)))
    information = choice_information(space, theta, smallest=0.0)
    step = 1e-5
    drift = space.all_vectors() @ theta
    slope = (1 / (1 + np.exp(-drift - step)) - 1 / (1 + np.exp(-drift + step))) / (2 * step)
    np.testing.assert_allclose(information, slope, rtol=1e-4, atol=1e-9)
