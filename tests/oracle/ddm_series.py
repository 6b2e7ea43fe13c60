"""The diffusion model by mpmath: textbook formulas at many digits, nothing shared with tacit.

Densities come from both series (Feller 1968, ch. XIV; Navarro & Fuss 2009), here with an
arbitrary start; distribution functions from their term-by-term integrals.
"""

import functools

import mpmath as mp

DIGITS = 50


def log_density(choice, time, drift, barrier, start=0.0, *, small_time=None):
    """Log joint density, from the small-time or the large-time series (by default the faster)."""
    with mp.workdps(DIGITS):
        c, t, u, a, b = (mp.mpf(float(x)) for x in (choice, time, drift, barrier, start))
        if small_time is None:
            small_time = t < a * a
        distance = a - c * b
        return _log_zero_drift_density(t, distance, 2 * a, small_time) + u * (
            c * distance - u * t / 2
        )


@functools.cache
def _log_zero_drift_density(t, distance, width, small_time):
    # Digits that cancel in a series on the other one's side.
    lost = 3 * t / width**2 if small_time else width**2 / (4 * t)
    with mp.workdps(DIGITS + 10 + int(lost)):
        return mp.log(
            _by_images(t, distance, width) if small_time else _by_sines(t, distance, width)
        )


def _by_images(t, distance, width):
    def image(position):
        return position * mp.exp(-position * position / (2 * t))

    total, k = image(distance), 0
    while True:
        k += 1
        terms = image(distance + 2 * k * width), image(distance - 2 * k * width)
        total += sum(terms)
        if max(map(abs, terms)) < abs(total) * mp.eps:
            return total / mp.sqrt(2 * mp.pi * t**3)


def _by_sines(t, distance, width):
    total, k = mp.mpf(0), 0
    while True:
        k += 1
        size = k * mp.exp(-((k * mp.pi / width) ** 2) * t / 2)
        total += size * mp.sin(k * mp.pi * distance / width)
        if size < abs(total) * mp.eps:
            return total * mp.pi / width**2


def log_tails(time, drift, barrier):
    """Log F and log (1 - F) of the decision time."""
    with mp.workdps(DIGITS):
        s = mp.mpf(float(time)) / mp.mpf(float(barrier)) ** 2
        z = abs(mp.mpf(float(drift)) * mp.mpf(float(barrier)))
        # 1 - F falls like e^-((zs - 1)^2 / 2s); the sines' sum is e^(-1 / 2s) of its first term.
        lost = int(max(z * s - 1, 0) ** 2 / (4 * s))
        if s < 0.3 and lost < 500:
            with mp.workdps(DIGITS + 10 + lost):
                cdf = _cdf_by_images(s, z)
                return mp.log(cdf), mp.log1p(-cdf)
        with mp.workdps(DIGITS + 10 + int(1 / (4 * s))):
            survival = _survival_by_sines(s, z)
            return mp.log1p(-survival), mp.log(survival)


def _survival_by_sines(s, z):
    total, k = mp.mpf(0), 0
    while True:
        b = 2 * k + 1
        rate = z * z / 2 + b * b * mp.pi**2 / 8
        term = (-1) ** k * b * mp.exp(-rate * s) / rate
        total += term
        if abs(term) < abs(total) * mp.eps:
            return total * mp.cosh(z) * mp.pi / 2
        k += 1


def _cdf_by_images(s, z):
    def below(x):
        return mp.erfc(-x / mp.sqrt(2)) / 2

    total, k = mp.mpf(0), 0
    while True:
        b = 2 * k + 1
        term = mp.exp(-z * b) * below((z * s - b) / mp.sqrt(s))
        term += mp.exp(z * b) * below(-(z * s + b) / mp.sqrt(s))
        total += (-1) ** k * term
        if abs(term) < abs(total) * mp.eps:
            return total * mp.cosh(z) * 2
        k += 1


def moments(drift, barrier):
    """Probability of the first option, mean and variance of choice and of time."""
    with mp.workdps(200):
        u, a = mp.mpf(float(drift)), mp.mpf(float(barrier))
        z = a * u
        first = 1 / (1 + mp.exp(-2 * z))
        mean_choice, var_choice = mp.tanh(z), mp.sech(z) ** 2
        if u == 0:
            return first, mean_choice, var_choice, a**2, 2 * a**4 / 3
        grown = mp.exp(2 * z)
        var_time = a / u**3 * (grown**2 - 1 - 4 * z * grown) / (grown + 1) ** 2
        return first, mean_choice, var_choice, a / u * mp.tanh(z), var_time
