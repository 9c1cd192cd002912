"""Verifies an export of plays, as docs/fairness.md specifies it. Usage: python3 verify.py plays.ndjson"""

import hashlib
import hmac
import json
import sys
from datetime import datetime

RANGE = 2**48


def sha256(data):
    return hashlib.sha256(data).hexdigest()


def number(key, message):
    digest = hmac.new(bytes.fromhex(key), message.encode(), hashlib.sha256).digest()
    return int.from_bytes(digest[:6], "big")


def milliseconds(time):
    moment = datetime.fromisoformat(time.replace("Z", "+00:00"))
    return int(moment.timestamp()) * 1000 + moment.microsecond // 1000


def drawn(proof, weights):
    total = sum(weights)
    for turn in range(1000):
        parts = [proof["playerSeed"], proof["playNumber"], proof["versionHash"], turn]
        value = number(proof["serverSeed"], "\n".join(["wheelhouse draw 1", *map(str, parts)]))
        if value < RANGE - RANGE % total:
            break
    ticket = value % total
    seen = 0
    for segment, weight in enumerate(weights):
        seen += weight
        if ticket < seen:
            return ticket, segment


def active(pace, at):
    return any(start <= at < end for start, end in pace["spans"])


def active_through(pace, at):
    return sum(max(0, min(at + 1, end) - start) for start, end in pace["spans"])


def active_time(pace):
    return sum(end - start for start, end in pace["spans"])


def released(pace, key, at):
    through, everything, units = active_through(pace, at), active_time(pace), pace["units"]
    if through == 0:
        return 0
    whole, rest = divmod(units * through, everything)
    if whole >= units:
        return units
    return whole + (rest * RANGE >= number(key, f"wheelhouse pace 1\n{whole + 1}") * everything)


def states_of(run):
    """What was given and returned before each entry and after the last, with the head of the chain."""
    head = sha256(f"wheelhouse run 1\n{run['commitment']}".encode())
    states = [(0, 0, head)]
    for entry in run["entries"]:
        awards, returned, head = states[-1]
        kind, unit = entry["kind"], entry["unit"]
        parts = ["wheelhouse entry 1", head, kind, unit, entry["at"], entry["play"]]
        head = sha256("\n".join(map(str, parts)).encode())
        states.append((unit, returned, head) if kind == "award" else (awards, unit, head))
    return states


def wrong_in_run(run):
    states = states_of(run)
    if sha256(bytes.fromhex(run["key"])) != run["commitment"]:
        yield "key"
    if states[-1][2] != run["head"]:
        yield "chain"
    earlier = 0
    for entry, (awards, returned, _) in zip(run["entries"], states):
        unit, at = entry["unit"], entry["at"]
        before = awards if entry["kind"] == "award" else returned
        if (unit <= before) if run["isBudget"] else (unit != before + 1):
            yield "units"
        if entry["kind"] == "return" and unit > awards:
            yield "units"
        if entry["kind"] == "award":
            if not active(run, at) or unit > released(run, run["key"], at) + returned:
                yield "moments"
        if at < earlier - 60_000:
            yield "times"
        earlier = at


def gates_expected(version, play):
    """The gates on the way of each prize that the play could get, in order."""
    at, index, fallback = milliseconds(play["playedAt"]), play["proof"]["drawn"], version["fallback"]
    segments = version["segments"]
    if index != fallback:
        return [index]
    return [
        place
        for place, segment in enumerate(segments)
        if "pace" in segment
        and active(segment["pace"], at)
        and active_through(segment["pace"], at) > active_time(segment["pace"]) - segment["pace"]["lastCallMs"]
    ]


def with_numbers(gate, play, pace, runs):
    """The gate with what was released and given at that moment, if its run has ended."""
    run = runs.get(pace["commitment"])
    found = [] if run is None else [state for state in states_of(run) if state[2] == gate["head"]]
    if not found:
        return gate
    at = milliseconds(play["playedAt"])
    numbers = {"released": released(pace, run["key"], at), "awards": found[0][0], "returned": found[0][1]}
    return {**gate, **numbers}


def explained(version, play, gates):
    """Whether the gates explain the result. A gate without numbers counts as the result says."""
    at, gates = milliseconds(play["playedAt"]), list(gates)
    fallback, reason = version["fallback"], play["fallbackReason"]
    is_fallback_drawn = play["proof"]["drawn"] == fallback
    if reason == "player_limit" and not gates:
        return play["segment"] == fallback

    def claimed_open(gate, index, shut, is_given):
        if not is_fallback_drawn:
            return reason != shut
        is_passed = index is not None and bool(gates) and gates[0]["segment"] is None
        return is_given or is_passed or "reason" in gate

    def passes(pace, units, index, shut, is_given):
        if not active(pace, at):
            return "not_winnable_now" if index is not None else "budget", None
        if not gates or gates[0]["segment"] != index or gates[0]["run"] != pace["run"]:
            return "wrong", None
        gate = gates.pop(0)
        if "released" in gate:
            is_open = gate["awards"] + units <= gate["released"] + gate["returned"]
        else:
            is_open = claimed_open(gate, index, shut, is_given)
        return (None if is_open else shut), gate

    for index in gates_expected(version, play):
        segment, shut, gate = version["segments"][index], None, None
        is_given = play["segment"] == index and reason is None
        if "pace" in segment:
            shut, gate = passes(segment["pace"], 1, index, "not_released", is_given)
        if shut is None and "budget" in version and segment.get("cost", 0) > 0:
            shut, gate = passes(version["budget"], segment["cost"], None, "budget", is_given)
        if shut == "wrong":
            return False
        if is_given:
            return shut is None and not gates
        if is_fallback_drawn:
            if shut is None and "reason" not in gate:
                return False
        elif shut is not None:
            return play["segment"] == fallback and reason == shut and not gates
        elif gate is not None and reason in (None, "not_released", "budget"):
            return False
    if is_fallback_drawn and play["segment"] != fallback:
        return False
    return not gates


def gate_in_run(gate, is_award, play, pace, run):
    states = states_of(run)
    found = [place for place, state in enumerate(states) if state[2] == gate["head"]]
    if not found:
        return False
    numbers = with_numbers(gate, play, pace, {run["commitment"]: run})
    if any(gate.get(name, numbers[name]) != numbers[name] for name in ("released", "awards", "returned")):
        return False
    following = run["entries"][found[0] : found[0] + 1]
    own = (sha256(play["playId"].encode()), milliseconds(play["playedAt"]))
    return not is_award or [(entry["play"], entry["at"]) for entry in following] == [own]


def wrong_in_play(play, published, runs):
    version, proof = json.loads(published), play["proof"]
    segments, fallback, reason = version["segments"], version["fallback"], play["fallbackReason"]
    weights = [segment["weight"] for segment in segments]
    if sha256(bytes.fromhex(proof["serverSeed"])) != proof["commitment"]:
        yield "commitment"
    if sha256(published.encode()) != proof["versionHash"]:
        yield "version"
    if drawn(proof, weights) != (proof["ticket"], proof["drawn"]) or sum(weights) != proof["weightTotal"]:
        yield "draw"
    own = segments[proof["drawn"]]
    is_excused = own["limited"] or (own["prize"] == "spins" and reason == "player_limit")
    is_last_call = reason is None and proof["drawn"] == fallback and "gates" in proof
    if reason is None and play["segment"] != proof["drawn"] and not is_last_call:
        yield "result"
    if reason is not None and (play["segment"] != fallback or not is_excused):
        yield "result"
    gates = proof.get("gates", [])
    paces = [version["budget"] if gate["segment"] is None else segments[gate["segment"]]["pace"] for gate in gates]
    if not explained(version, play, [with_numbers(gate, play, pace, runs) for gate, pace in zip(gates, paces)]):
        yield "gates"
    for place, (gate, pace) in enumerate(zip(gates, paces)):
        run = runs.get(pace["commitment"])
        is_paying = gate["segment"] is None and place == len(gates) - 1
        is_given = reason is None and play["segment"] != fallback
        is_award = is_given and (gate["segment"] == play["segment"] or is_paying)
        if run is not None and not gate_in_run(gate, is_award, play, pace, run):
            yield "run"


def main(path):
    published, runs, wrong, plays, awarded = {}, {}, 0, 0, set()
    with open(path, encoding="utf-8") as lines:
        for text in lines:
            line = json.loads(text)
            if "run" in line:
                name, failures = line["run"]["commitment"], list(wrong_in_run(line["run"]))
                runs[name] = line["run"]
                awarded.update(entry["play"] for entry in line["run"]["entries"] if entry["kind"] == "award")
            elif "play" in line:
                play = line["play"]
                plays += 1
                awarded.discard(sha256(play["playId"].encode()))
                wheel = line.get("published", published.get(play["proof"]["versionHash"]))
                name, failures = play["playId"], list(wrong_in_play(play, wheel, runs))
            else:
                name, failures = "", []
                published[sha256(line["published"].encode())] = line["published"]
            if failures:
                wrong += 1
                print(f"WRONG: {name}: {', '.join(failures)}")
    if awarded:
        wrong += 1
        print(f"WRONG: {len(awarded)} awards went to no play of this export")
    print(f"{plays} plays and {len(runs)} runs checked, {wrong} wrong.")
    return 2 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
