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


def measure(mpi, launch, folder, tuned, most_bytes, launches, rounds):
    """Rows with the intervals of the library's fastest algorithm over what is used, and of the control; `launch` runs words on the rig."""
    words, times = contests(tuned, most_bytes), {}
    shim = find_built("libquadrille_pmpi.so" if mpi == "openmpi" else "libquadrille_pmpi_mpich.so")
    for _ in range(launches):
        said = launch([find_built(f"rig_pairs_{mpi}"), rounds, *map(":".join, words)], {"QUADRILLE_PROGRAMS": folder}, [shim])
        for kind, size, ms in re.findall(r"^round (\S+) (\S+) ([0-9. ]+)$", said, re.MULTILINE):
            times.setdefault((kind, size), []).append([float(each) for each in ms.split()])
    rows = []
    for kind, size, rule, *names in words:
        of = times[kind, size]
        used, control = interval([row[0] for row in of]), interval([row[-1] / row[1] for row in of])
        # The ratio is taken where the round is one: what slows the machine for a while slows both.
        _, best = min((interval([row[1 + n] / row[0] for row in of[::2]])[1], n) for n in range(len(names)))
        ratio, itself = (interval([row[1 + n] / row[0] for row in of[1::2]]) for n in (best, 0))
        rows.append({"mpi": mpi, "collective": kind, "bytes": int(size), "rule": rule, "used_ms": used[1], "best": names[best],
                     "best/used": ratio, "rule/used": itself, "control": control, "rounds": len(of)})
    return rows


def show(rows, least):
    print(f"\n{rows[0]['mpi']}: what unchanged programs get, in turns with the library's own algorithms in one launch ({rows[0]['rounds']} rounds); "
          f"medians of ratios, and where they are in {100 * LIKELY:.0f} % of cases")
    for row in rows:
        (low, middle, high), (from_, same, to) = row["best/used"], row["control"]
        own = row["rule/used"]
        said = verdict(low, high, least)
        if not from_ <= 1 <= to and abs(same - 1) > CLOSE:
            said += "; the control is not 1"
        print(f"{row['collective']:12}{row['bytes']:>8}  used {row['used_ms']:8.3f} ms  best/used {middle:.3f} ({low:.3f} to {high:.3f}) "
              f"{row['best'][:20]:20} "
              f"control {same:.3f} ({from_:.3f} to {to:.3f})  rule/used {own[1]:.3f} ({own[0]:.3f} to {own[2]:.3f}) {row['rule'][:20]:20} {said}", flush=True)
