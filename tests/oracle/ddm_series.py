"""The diffusion model by mpmath: textbook formulas at many digits, nothing shared with tacit.

Densities come from both series (Feller 1968, ch. XIV; Navarro & Fuss 2009), here with an
arbitrary start; distribution functions from their term-by-term integrals.
"""

import mpmath as mp

DIGITS = 50


def log_density(choice, time, drift, barrier, start=0.0, *, small_time=None):
    """Log joint density, from the small-time or the large-time series (by default the faster)."""
    with mp.workdps(DIGITS):
        c, t, u, a, b = (mp.mpf(float(x)) for x in (choice, time, drift, barrier, start))
        distance, width = a - c * b, 2 * a
        if small_time is None:
            small_time = t < a * a
        # Digits that cancel in a series on the other one's side.
        lost = 3 * t / width**2 if small_time else width**2 / (4 * t)
        with mp.workdps(DIGITS + 10 + int(lost)):
            f0 = _by_images(t, distance, width) if small_time else _by_sines(t, distance, width)
            return mp.log(f0) + c * distance * u - u * u * t / 2


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
        if s < 0.3 and z * s < 1:
            cdf = _cdf_by_images(s, z)
            return mp.log(cdf), mp.log1p(-cdf)
        # The sum is smaller than its first term by a factor of about e^(-1 / 2s).
        with mp.workdps(DIGITS + int(1 / (4 * s)) + 10):
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
