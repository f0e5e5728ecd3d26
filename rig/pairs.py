"""Whether what unchanged programs get of a tuned folder is behind the library's own algorithms, told from noise.

Launches of one and the same algorithm differ by a tenth on a machine that others use. So whoever is compared takes turns in one launch
(pairs.c), and what is said is a median of ratios within rounds, with the interval that holds it in 95 of 100 cases, whatever the noise is
like (order statistics). Which of the library's algorithms is fastest is seen in every other round, how fast it is in the rest: the least
of several medians alone would be below the truth. The control is one of the library's algorithms against itself: an interval of it
without 1 says that not even this tells true.
"""
import math
import re

from rig import find_built

LIKELY = 0.95
NEAR = 1.25  # algorithms that the tuner saw within this of the library's fastest are held against what is used
MOST_OWN = 5
CLOSE = 0.01  # of the control's median to 1: less is no loss that anybody would notice


def interval(values):
    """Median of a sample, and the narrowest pair of its values around the middle that holds the true median in LIKELY of cases."""
    ordered, count = sorted(values), len(values)
    below = 0  # so many of the outermost on each side are left out
    chance = 2 * 0.5**count  # that the median is outside
    while below + 1 < count // 2:
        chance += 2 * math.comb(count, below + 1) * 0.5**count
        if chance > 1 - LIKELY:
            break
        below += 1
    middle = (ordered[(count - 1) // 2] + ordered[count // 2]) / 2
    return ordered[below], middle, ordered[count - 1 - below]


def verdict(low, high, least):
    """What an interval of best / used says of a limit that it must not be below."""
    return "reached" if low >= least else "missed" if high < least else "not told"


def rule_of(times, clearly):
    """The library's algorithm that the tuner's rules name for a size: as qd_winner() has it."""
    found = [each for each in times if each["by"] == "library" and each["algorithm"] != "library" and each["of_library"] < clearly and
             (each["at_most"] < 1 or each["of_library"] + each["at_most"] < 2)]
    return min(found, key=lambda each: each["of_library"], default={"algorithm": "library"})["algorithm"]


def contests(tuned, most_bytes):
    """Words for pairs.c: collective, bytes, what the rules name, and who it is held against."""
    out = []
    for of in tuned["collectives"]:
        for size in sorted({each["bytes"] for each in of["times"] if each["bytes"] <= most_bytes}):
            at = [each for each in of["times"] if each["bytes"] == size]
            own = sorted((each["ms"], each["algorithm"]) for each in at if each["by"] == "library")
            rule = rule_of(at, tuned["clearly"])
            near = [name for ms, name in own if ms <= NEAR * own[0][0] and name != rule]
            out.append([of["collective"], str(size), rule, rule, *near[:MOST_OWN - 1]])
    return out


def rounds_of(mpi, launch, folder, words, launches, rounds):
    """Milliseconds of each taker of each contest, round by round; `launch` runs words on the rig."""
    times = {}
    shim = find_built("libquadrille_pmpi.so" if mpi == "openmpi" else "libquadrille_pmpi_mpich.so")
    for _ in range(launches):
        said = launch([find_built(f"rig_pairs_{mpi}"), rounds, *map(":".join, words)], {"QUADRILLE_PROGRAMS": folder}, [shim])
        for kind, size, ms in re.findall(r"^round (\S+) (\S+) ([0-9. ]+)$", said, re.MULTILINE):
            times.setdefault((kind, size), []).append([float(each) for each in ms.split()])
    return times


def fastest(of, names):
    """Its number among the names. The ratio is taken where the round is one: what slows the machine for a while slows both."""
    return min((interval([row[1 + n] / row[0] for row in of])[1], n) for n in range(len(names)))[1]


def row_of(mpi, word, of, best, told_by):
    """What the rounds `told_by` say of the library's algorithm `best` over what is used, and all rounds of the control."""
    kind, size, rule, *names = word
    ratio, itself = (interval([row[1 + n] / row[0] for row in told_by]) for n in (best, 0))
    return {"mpi": mpi, "collective": kind, "bytes": int(size), "rule": rule, "used_ms": interval([row[0] for row in of])[1],
            "best": names[best], "best/used": ratio, "rule/used": itself,
            "control": interval([row[-1] / row[1] for row in of]), "rounds": len(told_by)}


def measure(mpi, launch, folder, tuned, most_bytes, least, first, more):
    """A row for each contest, with the intervals of the library's fastest algorithm over what is used. `first` and `more`: launches, and
    rounds of each. What the first do not tell from `least` is measured anew by more of them, in which the rule, the fastest and what is used alone take
    part: which is fastest is known then, and no round is asked twice."""
    words = contests(tuned, most_bytes)
    times = rounds_of(mpi, launch, folder, words, *first)
    rows, open_words = [], []
    for word in words:
        of = times[word[0], word[1]]
        best = fastest(of[::2], word[3:])
        rows.append(row_of(mpi, word, of, best, of[1::2]))
        if verdict(rows[-1]["best/used"][0], rows[-1]["best/used"][2], least) == "not told":
            rule, name = word[2], word[3 + fastest(of, word[3:])]
            open_words.append((len(rows) - 1, [*word[:4], *([] if name == rule else [name])]))
    if open_words:
        times = rounds_of(mpi, launch, folder, [word for _, word in open_words], *more)
    for place, word in open_words:
        of = times[word[0], word[1]]
        rows[place] = row_of(mpi, word, of, len(word) - 4, of)
    return rows


def show(rows, least):
    print(f"\n{rows[0]['mpi']}: what unchanged programs get, in turns with the library's own algorithms in one launch; "
          f"medians of ratios, and where they are in {100 * LIKELY:.0f} % of cases")
    for row in rows:
        (low, middle, high), (from_, same, to) = row["best/used"], row["control"]
        own = row["rule/used"]
        said = verdict(low, high, least)
        if not from_ <= 1 <= to and abs(same - 1) > CLOSE:
            said += "; the control is not 1"
        print(f"{row['collective']:12}{row['bytes']:>8}  used {row['used_ms']:8.3f} ms  best/used {middle:.3f} ({low:.3f} to {high:.3f}) "
              f"{row['best'][:20]:20} "
              f"control {same:.3f} ({from_:.3f} to {to:.3f})  rule/used {own[1]:.3f} ({own[0]:.3f} to {own[2]:.3f}) {row['rule'][:20]:20} {row['rounds']:5} rounds  {said}", flush=True)
