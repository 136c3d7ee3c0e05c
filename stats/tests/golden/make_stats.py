"""Makes stats.json: what SciPy, statsmodels and mpmath say, for tests/golden.rs.

Run in this folder:  pip install scipy statsmodels mpmath && python3 make_stats.py
"""

import json
import math
import platform

import mpmath as mp
import numpy as np
import scipy
import statsmodels
from scipy import optimize, special, stats
from statsmodels.stats import multitest, proportion

mp.mp.dps = 60


def plain(value):
    """Numbers of every library as those of JSON; NaN and infinities as null."""
    if isinstance(value, dict):
        return {k: plain(v) for k, v in value.items()}
    if isinstance(value, (list, tuple, np.ndarray)):
        return [plain(v) for v in value]
    if isinstance(value, (bool, np.bool_)):
        return bool(value)
    if isinstance(value, (int, np.integer)):
        return int(value)
    if value is None or isinstance(value, str):
        return value
    value = float(value)
    return value if math.isfinite(value) else None


# --- distributions, to 60 digits -----------------------------------------------------------------
def t_two_sided(df, t):
    df, t = mp.mpf(df), mp.mpf(t)
    exact = mp.betainc(df / 2, mp.mpf(1) / 2, 0, df / (df + t * t), regularized=True)
    return {"df": df, "t": t, "p": exact}


def chi_square_upper(df, x):
    return {"df": df, "x": x, "p": mp.gammainc(mp.mpf(df) / 2, mp.mpf(x) / 2, regularized=True)}


def t_critical(df, alpha):
    """SciPy's quantile, refined by Newton's method at 60 digits."""
    t, df_, alpha_ = mp.mpf(stats.t.isf(alpha / 2, df)), mp.mpf(df), mp.mpf(alpha)
    front = mp.gamma((df_ + 1) / 2) / mp.gamma(df_ / 2) / mp.sqrt(df_ * mp.pi)
    for _ in range(4):
        density = 2 * front * (1 + t * t / df_) ** (-(df_ + 1) / 2)
        t += (t_two_sided(df_, t)["p"] - alpha_) / density
    return {"df": df, "alpha": alpha, "t": t}


def normal_critical(alpha):
    return {"alpha": alpha, "z": mp.sqrt(2) * mp.erfinv(1 - mp.mpf(alpha))}


# --- rates ---------------------------------------------------------------------------------------
RATES = [(0, 1), (1, 1), (0, 20), (20, 20), (1, 10), (5, 10), (57, 100), (1, 1000), (999, 1000),
         (333, 1000), (0, 10**6), (1, 10**6), (500_000, 10**6), (999_990, 10**6), (123_456, 10**7)]


def intervals(kind):
    scipy_name, name = {"wilson": ("wilson", "wilson"), "clopper_pearson": ("exact", "beta")}[kind]
    for k, n in RATES:
        for confidence in (0.8, 0.95, 0.99):
            low, high = proportion.proportion_confint(k, n, 1 - confidence, name)
            # SciPy finds its exact bounds with a root finder that stops at 2e-12, so it is only
            # the second witness: of 0 in 1 000 000 its upper bound is wrong in the seventh digit.
            ci = stats.binomtest(k, n).proportion_ci(confidence, method=scipy_name)
            assert np.allclose(ci, (low, high), rtol=1e-9, atol=4e-12), (kind, k, n, ci, low, high)
            low, high = (0.0 if k == 0 else low), (1.0 if k == n else high)
            yield {"successes": k, "n": n, "confidence": confidence, "low": low, "high": high}


def binomial_tests():
    for k, n, p in [(60, 100, 0.5), (40, 100, 0.5), (50, 100, 0.5), (0, 10, 0.1), (10, 10, 0.5),
                    (1, 1, 0.5), (0, 1, 0.3), (3, 10, 0.25), (7, 30, 0.4), (19, 30, 0.4),
                    (260, 1000, 0.25), (240, 1000, 0.25), (2, 1000, 0.001), (1, 10**6, 1e-6),
                    (5, 10**6, 1e-6), (3, 100, 1e-9), (499_000, 10**6, 0.5),
                    (501_500, 10**6, 0.5), (33_000, 100_000, 1 / 3), (0, 5, 0.0), (5, 5, 1.0),
                    (1, 5, 0.0), (4, 5, 1.0), (90, 100, 0.5), (400, 1000, 0.6), (999, 1000, 0.5)]:
        yield {"successes": k, "n": n, "p": p, "value": stats.binomtest(k, n, p).pvalue}


def fisher():
    for a, b, c, d in [(8, 2, 1, 5), (0, 10, 0, 10), (10, 0, 0, 10), (1, 9, 11, 3), (0, 5, 3, 2),
                       (5, 0, 1, 4), (100, 900, 150, 850), (100, 900, 100, 900), (1, 0, 0, 1),
                       (3, 7, 7, 3), (520, 480, 480, 520), (20_000, 30_000, 20_400, 29_600),
                       (2, 99_998, 11, 99_989), (600, 400, 300, 700), (0, 3, 4, 0), (1, 1, 1, 1)]:
        yield {"a": [a, a + b], "b": [c, c + d], "value": stats.fisher_exact([[a, b], [c, d]])[1]}


# --- counts and means ----------------------------------------------------------------------------
def chi_square():
    for counts, shares in [([8, 9, 19, 5, 8, 11], [1] * 6), ([10, 10], [1, 1]),
                           ([0, 30, 70], [1, 2, 3]), ([1000, 1100, 900], [0.3, 0.4, 0.3]),
                           ([1, 0], [1e-6, 1]), ([250_300, 249_900, 250_100, 249_700], [1] * 4),
                           (list(range(50, 150)), [1] * 100), ([900, 100], [1, 1])]:
        expected = np.array(shares, float) / sum(shares) * sum(counts)
        found = stats.chisquare(counts, expected)
        yield {"counts": counts, "shares": shares, "statistic": found.statistic,
               "df": len(counts) - 1, "p": found.pvalue}


rng = np.random.default_rng(20181)
SAMPLES = {
    "two": [1.0, 2.0],
    "small": [31.0, 28.0, 35.0, 30.0],
    "offset": list(1e9 + np.round(rng.normal(0, 1, 40), 3)),
    "payoffs": list(map(float, rng.integers(-3, 4, 200))),
    "skewed": list(np.round(rng.exponential(5, 150), 4)),
    "tiny": list(np.round(rng.normal(3, 1, 30), 6) * 1e-9),
    "wide": list(np.round(rng.normal(100, 40, 500), 2)),
    "shifted": list(np.round(rng.normal(130, 10, 60), 2)),
}


def means():
    for name, values in SAMPLES.items():
        # Exact sums: NumPy's own mean of `offset` has lost digits that Welford keeps.
        exact = [mp.mpf(v) for v in values]
        mean = mp.fsum(exact) / len(exact)
        sd = mp.sqrt(mp.fsum((v - mean) ** 2 for v in exact) / (len(exact) - 1))
        for confidence in (0.95, 0.99):
            t = mp.mpf(stats.t.ppf(0.5 + confidence / 2, len(values) - 1))
            half = t * sd / mp.sqrt(len(values))
            yield {"sample": name, "confidence": confidence, "mean": mean, "sd": sd,
                   "low": mean - half, "high": mean + half}


def t_tests():
    for name, expected in [("small", 30.0), ("payoffs", 0.0), ("wide", 90.0), ("tiny", 0.0)]:
        found = stats.ttest_1samp(SAMPLES[name], expected)
        yield {"sample": name, "expected": expected, "statistic": found.statistic,
               "df": found.df, "p": found.pvalue}


def welch():
    for a, b in [("two", "small"), ("small", "wide"), ("payoffs", "skewed"), ("wide", "shifted"),
                 ("wide", "wide"), ("shifted", "skewed")]:
        found = stats.ttest_ind(SAMPLES[a], SAMPLES[b], equal_var=False)
        ci = found.confidence_interval(0.95)
        yield {"a": a, "b": b, "confidence": 0.95, "statistic": found.statistic, "df": found.df,
               "p": found.pvalue, "low": ci.low, "high": ci.high,
               "difference": np.mean(SAMPLES[a]) - np.mean(SAMPLES[b])}


def welch_summaries():
    for a, b in [((1000, 2.31, 1.1), (1000, 2.45, 1.12)), ((2, 0.0, 1.0), (2, 5.0, 0.0)),
                 ((100_000, 0.5, 0.5), (50, 0.7, 0.4)), ((10, 1.0, 1e-3), (10, 2.0, 1e-3))]:
        found = stats.ttest_ind_from_stats(a[1], a[2], a[0], b[1], b[2], b[0], equal_var=False)
        yield {"a": a, "b": b, "statistic": found.statistic, "p": found.pvalue}


def paired():
    for a, b in [("offset", "offset"), ("payoffs", "wide"), ("skewed", "wide"), ("tiny", "tiny")]:
        x = SAMPLES[a]
        y = SAMPLES[b][::-1] if a == b else SAMPLES[b]
        n = min(len(x), len(y))
        x, y = x[:n], y[:n]
        found = stats.ttest_rel(x, y)
        ci = found.confidence_interval(0.99)
        yield {"a": x, "b": y, "confidence": 0.99, "difference": np.mean(np.subtract(x, y)),
               "statistic": found.statistic, "df": found.df, "p": found.pvalue,
               "low": ci.low, "high": ci.high}


def correlations():
    noise = np.round(rng.normal(0, 1, 150), 5)
    base = np.array(SAMPLES["skewed"])
    for x, y in [([1, 2, 3, 4], [1, 3, 2, 4]), ([1, 2, 3], [1, 5, 2]), (base, noise),
                 (base, base + noise), (base, base + noise / 100), (base, -base - 9 * noise),
                 ([1, 2, 3, 4, 5], [2, 4, 6, 8, 10]), ([0, 1, 0, 1], [1, 0, 1, 0])]:
        found = stats.pearsonr(x, y)
        ci = found.confidence_interval(0.95)
        yield {"x": x, "y": y, "confidence": 0.95, "r": found.statistic, "p": found.pvalue,
               "low": ci.low, "high": ci.high}


# --- bootstrap: the lab's random stream, written again -------------------------------------------
class Xoshiro:
    """Xoshiro256++ seeded with SplitMix64, and Lemire's unbiased integers."""

    MASK = (1 << 64) - 1

    def __init__(self, seed):
        self.state = []
        for _ in range(4):
            seed = (seed + 0x9E3779B97F4A7C15) & self.MASK
            z = ((seed ^ (seed >> 30)) * 0xBF58476D1CE4E5B9) & self.MASK
            z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & self.MASK
            self.state.append(z ^ (z >> 31))

    def rotate(self, x, k):
        return ((x << k) | (x >> (64 - k))) & self.MASK

    def bits(self):
        s = self.state
        drawn = (self.rotate((s[0] + s[3]) & self.MASK, 23) + s[0]) & self.MASK
        t = (s[1] << 17) & self.MASK
        s[2] ^= s[0]
        s[3] ^= s[1]
        s[1] ^= s[2]
        s[0] ^= s[3]
        s[2] ^= t
        s[3] = self.rotate(s[3], 45)
        return drawn

    def below(self, n):
        while True:
            product = self.bits() * n
            if (product & self.MASK) >= (1 << 64) % n:
                return product >> 64


def bootstraps():
    for name, statistic, function in [("small", "mean", np.mean), ("skewed", "mean", np.mean),
                                      ("skewed", "median", np.median), ("wide", "sd",
                                      lambda v: np.std(v, ddof=1))]:
        stream, sample = Xoshiro(7), SAMPLES[name]
        found = [function([sample[stream.below(len(sample))] for _ in sample]) for _ in range(300)]
        for confidence in (0.95,):
            tail = (1 - confidence) / 2
            yield {"sample": name, "statistic": statistic, "seed": 7, "resamples": 300,
                   "confidence": confidence, "low": np.quantile(found, tail),
                   "high": np.quantile(found, 1 - tail)}


# --- many at once --------------------------------------------------------------------------------
def corrections():
    for p in [[0.01, 0.04, 0.03], [0.5], [], [0.001] * 4, [0.2, 0.2, 0.01, 1.0, 0.0],
              [0.049, 0.0001, 0.3, 0.02, 0.02, 0.9], list(np.round(rng.uniform(0, 1, 40) ** 3, 6))]:
        both = [multitest.multipletests(p, method=m)[1] if p else [] for m in ("holm", "fdr_bh")]
        yield {"p": p, "holm": both[0], "benjamini_hochberg": both[1]}


def outside():
    for cells, missed, confidence in [(40, 3, 0.95), (40, 0, 0.95), (16, 16, 0.95), (100, 20, 0.95),
                                      (10_000, 700, 0.95), (0, 0, 0.95), (5, 6, 0.95), (50, 2, 0.99)]:
        yield {"cells": cells, "outside": missed, "confidence": confidence,
               "p": stats.binom.sf(missed - 1, cells, 1 - confidence)}


# --- strength ------------------------------------------------------------------------------------
SCORES = [(10, 0, 0), (0, 0, 10), (0, 10, 0), (57, 0, 43), (420, 300, 280), (1, 0, 0), (0, 1, 0),
          (300, 400, 300), (5, 990, 5), (90_000, 20_000, 10_000), (0, 5, 5), (999, 1, 0)]


def elos():
    for wins, draws, losses in SCORES:
        n = wins + draws + losses
        share = (wins + draws / 2) / n
        # Effective games: variance without draws over the variance with them, draws/(n+1) of them.
        variance = share * (1 - share) - draws / (n + 1) / 4
        games = n if draws == 0 else n * share * (1 - share) / variance
        z = stats.norm.ppf(0.975)
        # Wilson's ends are the roots of (share - s)^2 = z^2 s (1 - s) / games.
        low, high = sorted(np.roots([1 + z * z / games, -(2 * share + z * z / games), share ** 2]).real)
        if draws == 0:
            ci = stats.binomtest(wins, n).proportion_ci(0.95, method="wilson")
            low, high = ci.low, ci.high
        elo = lambda s: -400 * math.log10(1 / s - 1) if 1e-12 < s < 1 - 1e-12 else None
        yield {"wins": wins, "draws": draws, "losses": losses, "confidence": 0.95, "share": share,
               "share_low": low, "share_high": high,
               "elo": elo(share), "low": elo(low), "high": elo(high)}


def bradley_terry():
    tables = {
        "three in a chain": (3, [(0, 1, 60, 0, 40), (1, 2, 70, 0, 30)]),
        "with draws": (3, [(0, 1, 30, 40, 30), (1, 2, 20, 50, 30), (0, 2, 55, 5, 40)]),
        "a cycle": (3, [(0, 1, 1, 0, 0), (1, 2, 1, 0, 0), (2, 0, 1, 0, 0)]),
        "lopsided": (4, [(0, 1, 9990, 0, 10), (1, 2, 99, 0, 1), (2, 3, 995, 2, 3), (0, 3, 500, 0, 0)]),
        "six": (6, [(i, j, *map(int, rng.multinomial(200, [0.4 + 0.06 * (j - i), 0.1,
                 0.5 - 0.06 * (j - i)]))) for i in range(6) for j in range(i + 1, 6)]),
        "all lost": (3, [(0, 1, 6, 0, 4), (0, 2, 10, 0, 0), (1, 2, 10, 0, 0)]),
        "never met": (4, [(0, 1, 6, 0, 4), (2, 3, 5, 0, 5)]),
        "one game": (2, [(0, 1, 1, 0, 0)]),
        "nothing": (3, []),
    }
    scale = 400 / math.log(10)
    for name, (n, games) in tables.items():
        points = np.zeros((n, n))
        for i, j, w, d, l in games:
            points[i, j] += w + d / 2
            points[j, i] += l + d / 2
        # Ford's condition: from each player a path of "made points against" leads to each other.
        linked = np.linalg.matrix_power(np.eye(n) + (points > 0), n) > 0
        identifiable = bool(linked.all())
        prior = 0.0 if identifiable else 1.0

        def minus_log_likelihood(r):
            apart = r[:, None] - r[None, :]
            against_average = np.logaddexp(0, r) + np.logaddexp(0, -r)
            return np.sum(points * np.logaddexp(0, -apart)) + prior / 2 * against_average.sum()

        def gradient(r):
            p = special.expit(r[:, None] - r[None, :])
            g = points * (1 - p) - points.T * p
            return -(g.sum(1) + prior * (0.5 - special.expit(r)))

        # BFGS comes near; a root finder on the gradient (mean held at 0) settles the last digits.
        near = optimize.minimize(minus_log_likelihood, np.zeros(n), jac=gradient, method="BFGS").x
        hold = 0.0 if prior else 1.0
        r = optimize.root(lambda r: gradient(r) + hold * r.mean(), near - hold * near.mean(),
                          method="hybr", tol=1e-14).x
        assert np.abs(gradient(r)).max() < 1e-8, (name, gradient(r))
        p = special.expit(r[:, None] - r[None, :])
        weight = (points + points.T) * p * (1 - p)
        information = np.diag(weight.sum(1)) - weight
        information += np.diag(prior * special.expit(r) * special.expit(-r))
        centring = np.eye(n) - 1 / n
        if identifiable:
            # Ratings counted from the last player's have a proper covariance; his own is 0.
            covariance = np.zeros((n, n))
            covariance[:-1, :-1] = np.linalg.inv(information[:-1, :-1])
        else:
            covariance = np.linalg.inv(information)
        covariance = centring @ covariance @ centring
        z = stats.norm.ppf(0.975)
        error = z * scale * np.sqrt(np.maximum(np.diag(covariance), 0))
        elo = scale * (r - r.mean())
        last = n - 1
        gap = covariance[0, 0] + covariance[last, last] - 2 * covariance[0, last]
        yield {"name": name, "players": n, "games": games, "identifiable": identifiable,
               "groups": sorted({tuple(np.flatnonzero(linked[i] & linked[:, i])) for i in range(n)}),
               "elo": elo, "low": elo - error, "high": elo + error,
               "first_less_last": elo[0] - elo[last], "margin": z * scale * math.sqrt(max(gap, 0))}


def sprts():
    """The GSPRT by two constrained maximisations over win and loss shares, with mpmath's roots."""
    for elo0, elo1, alpha, beta in [(0, 20, 0.05, 0.05), (-5, 0, 0.01, 0.1), (0, 5, 0.05, 0.05),
                                    (100, 200, 0.05, 0.05), (-800, 800, 0.001, 0.001)]:
        for wins, draws, losses in SCORES:
            counts = [mp.mpf(c) if c else mp.mpf("0.001") for c in (losses, draws, wins)]
            s0, s1 = (1 / (1 + mp.power(10, -mp.mpf(e) / 400)) for e in (elo0, elo1))

            def best(s):
                # Shares with mean s: wins w, draws 2(s - w), losses 1 - 2s + w; one unknown, and
                # the derivative of the log likelihood falls from +oo to -oo between the ends.
                l, d, w = counts
                slope = lambda x: w / x - d / (s - x) + l / (1 - 2 * s + x)
                low, high = max(mp.mpf(0), 2 * s - 1), s
                for _ in range(260):
                    middle = (low + high) / 2
                    low, high = (middle, high) if slope(middle) > 0 else (low, middle)
                x = (low + high) / 2
                return w * mp.log(x) + d * mp.log(2 * (s - x)) + l * mp.log(1 - 2 * s + x)

            llr = best(s1) - best(s0)
            plain_llr = wins * mp.log(s1 / s0) + losses * mp.log((1 - s1) / (1 - s0))
            yield {"elo0": elo0, "elo1": elo1, "alpha": alpha, "beta": beta, "wins": wins,
                   "draws": draws, "losses": losses, "llr": llr, "binomial_llr": plain_llr,
                   "lower": math.log(beta / (1 - alpha)), "upper": math.log((1 - beta) / alpha)}


# --- predictions ---------------------------------------------------------------------------------
def predicted_means():
    for n, mean, sd, k, step in [(10_000, 31.4, 8.0, 100, 0.1), (2, 0.0, 1.0, 1, 0.0),
                                 (1000, -2.5, 0.0, 1000, 0.01), (10**6, 0.25, 0.43, 1000, 0.001)]:
        error = stats.norm(mean, sd * math.sqrt(1 / n + 1 / k) or 1e-300)
        yield {"n": n, "mean": mean, "sd": sd, "k": k, "step": step, "confidence": 0.95,
               "low": error.ppf(0.025) - step / 2, "high": error.ppf(0.975) + step / 2}


def predicted_rates():
    for x, n, k, step in [(0, 1000, 100, 0.01), (1000, 1000, 100, 0.01), (570, 1000, 1000, 0.001),
                          (0, 0, 10, 0.0), (1, 1, 1, 0.0), (25_000, 100_000, 1000, 0.001),
                          (3, 10, 50, 0.1), (500_000, 10**6, 10_000, 0.0001), (7, 2000, 400, 0.01)]:
        predicted = stats.betabinom(k, x + 0.5, n - x + 0.5)
        # The quantiles from the summed probabilities, as SciPy defines them.
        cdf = np.cumsum(predicted.pmf(np.arange(k + 1)))
        low, high = np.searchsorted(cdf, [0.025, 0.975])
        yield {"successes": x, "n": n, "k": k, "step": step, "confidence": 0.95,
               "low": low / k - step / 2, "high": high / k + step / 2}


golden = {
    "made_by": "make_stats.py",
    "versions": {"python": platform.python_version(), "scipy": scipy.__version__,
                 "numpy": np.__version__, "statsmodels": statsmodels.__version__,
                 "mpmath": mp.__version__},
    "samples": SAMPLES,
    "t_two_sided": [t_two_sided(df, t) for df in (1, 2.5, 10, 99.3, 1000, 1e6)
                    for t in (1e-9, 0.01, 0.5, 1, 2, 5, 30)],
    "chi_square_upper": [chi_square_upper(df, df * f) for df in (1, 2, 3, 10, 99, 2000, 100_000)
                         for f in (1e-6, 0.1, 0.9, 0.99, 1, 1.01, 1.1, 2)]
                        + [chi_square_upper(3, 200), chi_square_upper(1, 1000)],
    "t_critical": [t_critical(df, alpha) for df in (1, 2.5, 9, 99, 1999, 1e5, 1e6)
                   for alpha in (0.2, 0.05, 0.01, 1e-6)],
    "normal_critical": [normal_critical(a) for a in (0.9, 0.5, 0.2, 0.05, 0.01, 1e-3, 1e-9)],
    "wilson": list(intervals("wilson")),
    "clopper_pearson": list(intervals("clopper_pearson")),
    "binomial_test": list(binomial_tests()),
    "fisher_exact": list(fisher()),
    "chi_square_fit": list(chi_square()),
    "mean": list(means()),
    "t_test": list(t_tests()),
    "welch": list(welch()),
    "welch_from_summaries": list(welch_summaries()),
    "paired": list(paired()),
    "pearson": list(correlations()),
    "bootstrap": list(bootstraps()),
    "corrections": list(corrections()),
    "outside_by_chance": list(outside()),
    "elo": list(elos()),
    "bradley_terry": list(bradley_terry()),
    "sprt": list(sprts()),
    "predict_mean": list(predicted_means()),
    "predict_rate": list(predicted_rates()),
}

with open("stats.json", "w", encoding="utf-8") as file:
    # One case a line: readable, and a change shows as a line.
    parts = []
    for key, value in plain(golden).items():
        if isinstance(value, list):
            body = "[\n" + ",\n".join("  " + json.dumps(case) for case in value) + "\n ]"
        else:
            body = json.dumps(value)
        parts.append(f" {json.dumps(key)}: {body}")
    file.write("{\n" + ",\n".join(parts) + "\n}\n")
