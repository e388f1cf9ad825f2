"""Runs the vectors of stages that need no writing on the reader in `diskqueue.py`.

`python3 run_vectors.py CORPUS` prints what failed and, by stage, how many passed; a stage that
the reader does not have is told as skipped. Exit code 1 if any failed or none was run.
"""

import base64
import json
import sys
from collections import Counter
from pathlib import Path

from diskqueue import Loss, Queue, parse_meta

NO_BOOT = "-" * 32


def as_bytes(name):
    return base64.b64decode(name["b64"]) if isinstance(name, dict) else name.encode()


def messages(values):
    return [base64.b64decode(value) for value in values]


def opened(vector):
    """The queue of a vector, what it delivers, and what its reads report."""
    files = {
        as_bytes(entry["name"]): base64.b64decode(entry["data_b64"])
        for entry in vector["files"]
        if "data_b64" in entry
    }
    boot = vector.get("boot", NO_BOOT).encode()
    queue = Queue(files, as_bytes(vector["queue"]), boot)
    items = list(queue.deliver())
    delivered = [item for item in items if isinstance(item, bytes)]
    losses = [item for item in items if isinstance(item, Loss)]
    return queue, delivered, losses


def told(loss):
    """A loss as the vectors have it."""
    value = {"file": loss.file, "offset": loss.offset, "size": loss.size}
    if loss.messages is not None:
        value["messages"] = loss.messages
    return value


def wanted(loss):
    return {**loss, "file": as_bytes(loss["file"])}


def run_parse_meta(vector):
    allowed = vector["allowed"]
    meta = parse_meta(base64.b64decode(vector["data_b64"]))
    found = {"state": meta.state}
    if meta.state in ("bare", "noted"):
        found["depth"] = meta.depth
        for key in ("read", "write"):
            segment, offset = getattr(meta, key)
            found[key] = {"segment": segment, "offset": offset}
    if meta.state == "noted":
        found["boot"] = meta.boot.decode()
        found["generation"] = meta.generation
        found["closed"] = meta.closed
        found["sums_bytes"] = meta.sums_bytes
    return None if found == allowed else f"it is {found}"


def run_read(vector):
    allowed = vector["allowed"]
    queue, delivered, losses = opened(vector)
    must = messages(allowed["deliver_b64"])
    again = len(delivered) - len(must)
    if not 0 <= again <= allowed["again_before_max"] or delivered[again:] != must:
        return f"{len(delivered)} messages come"
    if queue.depth != allowed.get("depth", len(delivered)):
        return f"a depth of {queue.depth}"
    damage = [loss for loss in queue.open_losses if loss.damaged] + losses
    return f"it reports {damage}" if damage else None


def run_recover(vector):
    allowed = vector["allowed"]
    queue, delivered, losses = opened(vector)
    if delivered != messages(allowed["deliver_b64"]):
        return f"other messages come: {delivered}"
    if queue.depth != allowed["depth"]:
        return f"a depth of {queue.depth}"
    reported = [{"lost": told(loss), "damaged": loss.damaged} for loss in queue.open_losses]
    must = [{**one, "lost": wanted(one["lost"])} for one in allowed.get("open_losses", [])]
    by_place = lambda one: (one["lost"]["file"], one["lost"]["offset"])
    if sorted(reported, key=by_place) != sorted(must, key=by_place):
        return f"the open reports {queue.open_losses}"
    if [told(loss) for loss in losses] != [wanted(one) for one in allowed.get("read_losses", [])]:
        return f"the reads report {losses}"
    return None


def run_crash_image(vector):
    allowed = vector["allowed"]
    queue, delivered, losses = opened(vector)
    put = messages(vector["messages_b64"])
    runs = [put[first : last + 1] for first, last in allowed["runs"]]
    if delivered not in runs + ([[]] if allowed["nothing"] else []):
        return f"no allowed run comes: {delivered}"
    if queue.depth != len(delivered):
        return f"a depth of {queue.depth}"
    return f"the reads report {losses}" if losses else None


STAGES = {
    "parse-meta": run_parse_meta,
    "read": run_read,
    "recover": run_recover,
    "crash-images": run_crash_image,
}


def main(corpus):
    folder = Path(corpus) / "vectors"
    passed, failed, skipped = Counter(), Counter(), Counter()
    for entry in json.loads((folder / "index.json").read_text()):
        run = STAGES.get(entry["stage"])
        if entry["engine"] != "diskqueue" or run is None:
            why = "it writes nothing" if entry["engine"] == "diskqueue" else "another format"
            skipped[f"{entry['engine']}/{entry['stage']}", why] += 1
            continue
        vector = json.loads((folder / f"{entry['name']}.json").read_text())
        if "superseded" in vector.get("flags", []):
            continue
        problem = run(vector)
        if problem is None:
            passed[entry["stage"]] += 1
        else:
            failed[entry["stage"]] += 1
            print(f"FAILED {entry['name']}: {problem}")
    for stage, count in sorted(passed.items()):
        print(f"python: diskqueue/{stage}: {count} vectors passed")
    for (stage, why), count in sorted(skipped.items()):
        print(f"skipped: python: {stage}: {count} vectors; {why}")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
