"""A belief that leaves out answers which are more probably lapses than not, one at a time.

A lapse is a coin toss at a time spread evenly over magnitudes, from a twentieth of a second to half
a minute. An answer that is none has, with u = x'theta ~ N(m, v) integrated out, the density

    f0(t; a) (1 + t v)^-1/2 exp((a^2 v + 2 a c m - t m^2) / (2 + 2 t v))

of choice and decision time, where f0 is that of a person without preference. An answer is judged
when it comes, at the price of one more rank-one update; only the fastest ones are judged again,
since what is learned about the nondecision time rests on them.
"""

from dataclasses import dataclass, fields, replace
from typing import Self

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from tacit.ddm import logpdf
from tacit.learners._base import Floats, Ints, put
from tacit.learners._belief import Belief
from tacit.learners._belief_prior import BeliefPrior
from tacit.learners._matrices import apply

_EARLIEST, _LATEST = 0.05, 30.0
"""Seconds between which nearly all lapses happen."""

_MARGIN = 0.15
"""By how much of it, typically, an answer is faster than the fastest one so far."""

_ISOLATED, _PER_GUESS = 0.6, 8
"""One in so many answers may be a fast guess: below this share of the next response time."""

_BELIEVED = 0.5
_NONE = -1
_N_SMALLEST = 4
_STRONGEST = 2.0
_SLACK_ANSWERS = 6.0


@dataclass(frozen=True, kw_only=True, eq=False)
class DoubtingBelief(Belief):
    """A `Belief` that rests on the answers that are probably no lapses.

    Attributes
    ----------
    lapse_share : ndarray of shape (n_runs,)
        Share of answers that are lapses, before they are seen.
    n_judged : ndarray of int64, shape (n_runs,)
        Number of answers, believed or not.
    smallest : ndarray of shape (n_runs, 4)
        The smallest response times among the answers that are believed, ascending, seconds;
        infinite where there are fewer.
    smallest_x, smallest_choice : ndarray of shape (n_runs, 4, n_features) and (n_runs, 4)
        Query vectors and choices of these.
    least_other : ndarray of shape (n_runs,)
        The smallest response time among the other answers that are believed, seconds.
    smallest_at : ndarray of int64, shape (n_runs, 4)
        Which answers these are, counted from 0.
    believed : ndarray of bool, shape (n_runs,)
        Whether the last answer is.
    withdrawn_at : ndarray of int64, shape (n_runs, 4)
        Which answers were believed until the last one came; -1 where there are fewer.
    """

    lapse_share: Floats
    n_judged: Ints
    smallest: Floats
    smallest_x: Floats
    smallest_choice: Floats
    least_other: Floats
    smallest_at: Ints
    believed: NDArray[np.bool_]
    withdrawn_at: Ints

    @classmethod
    def doubting(cls, belief: Belief, lapse_share: float) -> Self:
        """Return a belief before the first answer, and doubts to go with it."""
        n_runs, n_features = belief.void_choice_sum.shape
        return cls(
            **{f.name: getattr(belief, f.name) for f in fields(belief)},
            lapse_share=np.full(n_runs, lapse_share),
            n_judged=np.zeros(n_runs, dtype=np.int64),
            smallest=np.full((n_runs, _N_SMALLEST), np.inf),
            smallest_x=np.zeros((n_runs, _N_SMALLEST, n_features)),
            smallest_choice=np.zeros((n_runs, _N_SMALLEST)),
            least_other=np.full(n_runs, np.inf),
            smallest_at=np.full((n_runs, _N_SMALLEST), _NONE),
            believed=np.ones(n_runs, dtype=bool),
            withdrawn_at=np.full((n_runs, _N_SMALLEST), _NONE),
        )

    def observe(
        self, x: Floats, choice: Floats, response_time: Floats, prior: BeliefPrior
    ) -> "DoubtingBelief":
        """Return the belief after one answer in every run; see `Belief.observe`."""
        before = self.without_guesses()
        credible = before.credibility(x, choice, response_time)
        runs = np.flatnonzero(credible >= _BELIEVED)
        part = before.take(runs)
        told = super(DoubtingBelief, part).observe(
            x[runs], choice[runs], response_time[runs], prior
        )
        after = put(before, runs, _with_smallest(told, x[runs], choice[runs], response_time[runs]))
        after = replace(after, n_judged=before.n_judged + 1, believed=credible >= _BELIEVED)
        # Where the new answer is left out, what was taken back has not been reckoned with yet.
        stale = np.flatnonzero(after.revised_at < 0)
        return after if len(stale) == 0 else after.revised(stale, prior)

    def counted(self, response_time: Floats) -> Floats:
        """Return response times, NaN where the answer was left out; see `Belief.counted`."""
        times = response_time.copy()
        run, place = np.nonzero(self.withdrawn_at != _NONE)
        times[run, self.withdrawn_at[run, place]] = np.nan
        times[~self.believed, -1] = np.nan
        return times

    def credibility(self, x: Floats, choice: Floats, response_time: Floats) -> Floats:
        """Return the probability that an answer is no lapse; 1 where its time is void.

        Arguments as for `observe`; shape (n_runs,).
        """
        seconds = np.where(np.isnan(response_time), 1.0, response_time)
        log_odds = np.log(self.lapse_share) - np.log1p(-self.lapse_share)
        log_odds -= np.log(2 * seconds * np.log(_LATEST / _EARLIEST))
        earnest = np.maximum(self._log_density(x, choice, seconds), self._log_faster(seconds))
        return np.where(np.isnan(response_time), 1.0, expit(earnest - log_odds))

    def _log_density(self, x: Floats, choice: Floats, seconds: Floats) -> Floats:
        """Return the log-density of answers, at the barrier or at the highest one to reckon with.

        The square of the barrier is known to a share of sqrt(2 / n), and no preference is taken to
        be much stronger than the prior guesses. Otherwise a belief that early answers led astray
        would leave out all that could correct it.
        """
        spread = np.linalg.solve(self.prior_precision, x[:, :, None])[:, :, 0]
        usual = self.guessed_variance * np.einsum("ri,ri->r", x, spread)
        usual += np.einsum("ri,ri->r", x, self.prior_mean) ** 2
        strongest = _STRONGEST * np.sqrt(usual)
        mean = np.clip(np.einsum("ri,ri->r", x, self.mean), -strongest, strongest)
        variance = np.einsum("ri,ri->r", x, apply(self.covariance, x))
        slack = 1 + 2 * np.sqrt(2 / (self.time_sums[:, 0] + _SLACK_ANSWERS))
        time = np.maximum(seconds - self.nondecision_time, 0.0)
        found = [
            logpdf(choice, seconds, 0.0, a, nondecision_time=self.nondecision_time)
            + (a**2 * variance + 2 * a * choice * mean - time * mean**2) / (2 + 2 * time * variance)
            for a in (self.barrier, self.barrier * np.sqrt(slack))
        ]
        return np.asarray(np.maximum(*found) - 0.5 * np.log1p(time * variance))

    def _log_faster(self, seconds: Floats) -> Floats:
        """Return the log-density of an answer faster than all before; -inf if it is not.

        The next of n + 1 answers is the fastest once in n + 1 times.
        """
        fastest = np.where(np.isinf(self.fastest), self.nondecision_time, self.fastest)
        by = 1 - seconds / fastest
        density = -by / _MARGIN - np.log(2 * _MARGIN * fastest * (1 + self.time_sums[:, 0]))
        return np.where(by > 0, density, -np.inf)

    def without_guesses(self) -> Self:
        """Return the belief without the fastest answers that turned out to be guesses.

        One in a few of the answers may be a guess; those are that lie far below the next.
        """
        n_known = np.isfinite(self.smallest).sum(axis=1)
        # Of the four smallest, one at least is held to be none.
        n_guesses = (self.time_sums[:, 0] / _PER_GUESS).astype(np.int64)
        runs = np.arange(len(n_known))
        usual = self.smallest[runs, np.clip(n_guesses, 0, np.maximum(n_known - 1, 0))]
        # Where answers were taken back, others may be faster than the four that are left.
        usual = np.minimum(usual, self.least_other)
        guess = self.smallest < _ISOLATED * usual[:, None]
        withdrawn_at = np.where(guess, self.smallest_at, _NONE)
        if not guess.any():
            return replace(self, withdrawn_at=withdrawn_at)
        time = np.where(guess, self.smallest, 0.0)
        x = np.where(guess[:, :, None], self.smallest_x, 0.0)
        powers = np.stack([guess, time, time**2])
        left = np.sort(np.where(guess, np.inf, self.smallest), axis=1)
        order = np.argsort(guess, axis=1, kind="stable")
        return replace(
            self,
            grams=self.grams - np.einsum("krs,rsi,rsj->rkij", powers, x, x),
            choice_sums=self.choice_sums
            - np.einsum("krs,rs,rsi->rki", powers[:2], self.smallest_choice, x),
            time_sums=self.time_sums - powers[:2].sum(axis=2).T,
            smallest=left,
            smallest_x=np.take_along_axis(self.smallest_x, order[:, :, None], axis=1),
            smallest_choice=np.take_along_axis(self.smallest_choice, order, axis=1),
            smallest_at=np.take_along_axis(np.where(guess, _NONE, self.smallest_at), order, axis=1),
            fastest=np.minimum(left[:, 0], self.least_other),
            withdrawn_at=withdrawn_at,
            # Estimates that rest on what was taken back are due.
            revised_at=np.where(guess.any(axis=1), -1, self.revised_at),
        )


def _with_smallest(belief: Belief, x: Floats, choice: Floats, seconds: Floats) -> DoubtingBelief:
    """Return the belief with one answer more among the fastest ones, if it is one of them."""
    if not isinstance(belief, DoubtingBelief):
        raise TypeError("the belief does not doubt")
    every = np.column_stack([belief.smallest, np.where(np.isnan(seconds), np.inf, seconds)])
    vectors = np.concatenate([belief.smallest_x, x[:, None]], axis=1)
    choices = np.column_stack([belief.smallest_choice, choice])
    places = np.column_stack([belief.smallest_at, belief.n_judged])
    order = np.argsort(every, axis=1, kind="stable")
    first, last = order[:, :-1], order[:, -1:]
    return replace(
        belief,
        smallest=np.take_along_axis(every, first, axis=1),
        smallest_x=np.take_along_axis(vectors, first[:, :, None], axis=1),
        smallest_choice=np.take_along_axis(choices, first, axis=1),
        smallest_at=np.take_along_axis(places, first, axis=1),
        least_other=np.minimum(belief.least_other, np.take_along_axis(every, last, axis=1)[:, 0]),
    )
