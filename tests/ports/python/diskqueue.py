"""A reader of queues in the format `diskqueue`, by way of a port.

Written from corpus/formats/diskqueue.md and corpus/contract.md alone, with the standard library
alone: where this file needs to know more than the page tells, the page is wrong. It looks at the
files of one directory and says what recovery would deliver and report; it writes nothing.
"""

import re
import struct
from dataclasses import dataclass, field

NOTED_BYTES = 256
CHECKED_BYTES = 247
I64_MAX = 2**63 - 1
PAYLOAD_BYTES_MAX = 65536
SUMS, GENERATION = 1, 2
RECORDS_MAX = 64
HOLE_RECORDS = 8


def _crc_table():
    table = []
    for value in range(256):
        for _ in range(8):
            value = value >> 1 ^ (0x82F63B78 if value & 1 else 0)
        table.append(value)
    return table


CRC_TABLE = _crc_table()


def crc32c(data):
    """The CRC-32C of the bytes."""
    crc = 0xFFFFFFFF
    for byte in data:
        crc = crc >> 8 ^ CRC_TABLE[(crc ^ byte) & 0xFF]
    return crc ^ 0xFFFFFFFF


@dataclass
class Meta:
    """What a meta file says; `state` is absent, noted, bare or damaged."""

    state: str
    depth: int = 0
    read: tuple = (0, 0)
    write: tuple = (0, 0)
    boot: bytes = b""
    generation: int = 0
    closed: bool = False
    sums_bytes: int = 0


NUMBER = rb"(0|[1-9][0-9]*)"
LINES = re.compile(
    rb"(-[1-9][0-9]*|0|[1-9][0-9]*)\n%s,%s\n%s,%s\n" % (NUMBER, NUMBER, NUMBER, NUMBER)
)
NOTE = re.compile(
    rb"crashline 1 ([0-9a-f]{32}|-{32}) ([0-9a-f]{16}) (closed|opened) ([0-9a-f]{16})\n *"
)


def parse_meta(data):
    """Reads a meta file; `None` where there is none."""
    if data is None:
        return Meta("absent")
    head = data[:NOTED_BYTES]
    lines = LINES.match(head)
    if lines is None:
        return Meta("damaged")
    depth, *places = (int(number) for number in lines.groups())
    if any(number > I64_MAX for number in places) or not -(2**63) <= depth <= I64_MAX:
        return Meta("damaged")
    read, write = tuple(places[:2]), tuple(places[2:])
    if lines.end() == len(data):
        return Meta("bare", depth, read, write)
    checksum = b"%08x\n" % crc32c(head[:CHECKED_BYTES])
    note = NOTE.fullmatch(head, lines.end(), CHECKED_BYTES)
    if head[CHECKED_BYTES:] != checksum or note is None or depth < 0 or read > write:
        return Meta("damaged")
    boot, generation, state, sums_bytes = note.groups()
    return Meta(
        "noted",
        depth,
        read,
        write,
        boot,
        int(generation, 16),
        state == b"closed",
        int(sums_bytes, 16),
    )


def blocks(data):
    """The (kind, payload) of each block of a side file, up to the first that is not right."""
    place = 0
    while True:
        head = data[place : place + 16]
        if len(head) < 16 or head[:5] != b"CLSB\x01" or head[6:8] != b"\0\0":
            return
        size, checksum = struct.unpack(">II", head[8:])
        payload = data[place + 16 : place + 16 + size]
        if size > PAYLOAD_BYTES_MAX or len(payload) < size:
            return
        if crc32c(head[:12] + payload) != checksum:
            return
        yield head[5], payload
        place += 16 + size


@dataclass
class Sums:
    """What the sums of one segment tell: (length, sum) by offset, and its sealed size."""

    known: dict = field(default_factory=dict)
    sealed: int | None = None


def read_sums(data, generation, number):
    """The sums of a segment that belong to this generation."""
    sums = Sums()
    for kind, payload in blocks(data):
        records = len(payload[24:]) / 8
        if kind != SUMS or len(payload) < 24 or records not in range(RECORDS_MAX + 1):
            return sums
        named, segment, offset = struct.unpack(">QQQ", payload[:24])
        if (named, segment) != (generation, number):
            return sums
        if len(payload) == 24:
            sums.sealed = offset
        for length, checksum in struct.iter_unpack(">iI", payload[24:]):
            sums.known[offset] = length, checksum
            offset += 4 + length
    return sums


@dataclass
class Loss:
    """Bytes of a file that cannot be delivered; `messages` is None where nobody knows."""

    file: bytes
    offset: int
    size: int
    messages: int | None = None
    damaged: bool = True


def record_at(data, offset):
    """The whole record that begins at the offset, its length included, else None."""
    if offset + 4 > len(data):
        return None
    (length,) = struct.unpack_from(">i", data, offset)
    if length < 0 or offset + 4 + length > len(data):
        return None
    return data[offset : offset + 4 + length]


class Queue:
    """What recovery would make of a queue.

    `files` maps the names of the regular files to their bytes, `boot` is the running boot (32
    hex digits, or dashes where it cannot be known). `open_losses` are reported by the open;
    `deliver` yields messages as bytes and losses as they are met. `depth` is that directly
    after the open.
    """

    def __init__(self, files, queue, boot):
        self.files = files
        self.prefix = queue + b".diskqueue."
        self.boot = boot
        self.meta_name = self.prefix + b"meta.dat"
        self.meta = parse_meta(files.get(self.meta_name))
        pattern = re.compile(re.escape(self.prefix) + rb"([0-9]{6}|[1-9][0-9]{6,})\.dat")
        found = (pattern.fullmatch(name) for name in files)
        numbers = (int(match[1]) for match in found if match)
        self.segments = sorted(number for number in numbers if number <= I64_MAX)
        self.sums = {}
        self.open_losses = []
        self.plan = []  # (segment, from, to, whether recovery set its end)
        self.depth = 0
        last = self.segments[-1] if self.segments else 0
        if self.meta.state == "noted" and last > self.meta.write[0] + 1:
            self.meta = Meta("damaged")
        if self.meta.state == "noted":
            self._open_noted()
        elif self.meta.state != "bare" or not self._open_bare():
            if self.meta.state != "absent":
                size = min(len(self.files[self.meta_name]), NOTED_BYTES)
                self.open_losses.append(Loss(self.meta_name, 0, size, 0))
            self._take_all((self.segments[0], 0) if self.segments else (0, 0), None, self._is_ours())

    def _name(self, number, ending=b"dat"):
        return self.prefix + b"%06d." % number + ending

    def _data(self, number):
        return self.files.get(self._name(number), b"")

    def _count(self):
        """The records that are to be delivered, as far as their lengths tell."""
        count = 0
        for number, offset, end, _ in self.plan:
            data = self._data(number)[:end]
            while (record := record_at(data, offset)) is not None:
                offset += len(record)
                count += 1
        return count

    # A noted meta: its positions count, and the tail behind them by the boot and the sums.

    def _open_noted(self):
        meta = self.meta
        for number in self.segments:
            data = self.files.get(self._name(number, b"sums"), b"")
            self.sums[number] = read_sums(data, meta.generation, number)
        self._report_missing(noted=True)
        lost = bool(self.open_losses)
        write, end = meta.write
        kept = 0
        for number in (n for n in self.segments if meta.read[0] <= n < write):
            begin = meta.read[1] if number == meta.read[0] else 0
            self.plan.append((number, begin, len(self._data(number)), False))
        begin = meta.read[1] if meta.read[0] == write else 0
        if write in self.segments and len(self._data(write)) < end:
            size = self._end_of_records(write, begin)
            self.open_losses.append(Loss(self._name(write), size, end - size))
            self.plan.append((write, begin, size, True))
            lost = True
        elif write in self.segments or end == 0:
            kept = self._take_tail(begin)
        self.depth = self._count() if lost else meta.depth + kept

    def _end_of_records(self, number, offset):
        """Where the records end: by their sums, where these know of them, else by their lengths."""
        data, known = self._data(number), self.sums[number].known
        while True:
            if offset in known:
                end = offset + 4 + known[offset][0]
            else:
                end = offset + len(record_at(data, offset) or b"")
            if end == offset or end > len(data):
                return offset
            offset = end

    def _take_tail(self, begin):
        """Takes the records beyond the write position that are kept; returns how many."""
        number, offset = self.meta.write
        this_boot = self.boot == self.meta.boot and not self.boot.startswith(b"-")
        kept, goes_on = 0, number in self.segments
        for segment in (n for n in self.segments if n >= number):
            goes_on = goes_on and segment <= number + 1
            if segment > number:
                begin = offset = 0
            number = segment
            data = self._data(segment)
            # What stands before the sums of these records does not matter here.
            behind = self.meta.sums_bytes if offset else 0
            sums = self.files.get(self._name(segment, b"sums"), b"")[behind:]
            sums = read_sums(sums, self.meta.generation, segment)
            while goes_on and (record := record_at(data, offset)) is not None:
                known = sums.known.get(offset)
                if known is not None and not self._agrees(segment, offset, record, known):
                    break
                if known is None and not (this_boot and len(record) > 4):
                    break
                kept += 1
                offset += len(record)
            goes_on = goes_on and offset == len(data)
            self.plan.append((segment, begin, offset, offset < len(data)))
            self._reject(segment, offset, damaged=False)
        return kept

    def _reject(self, number, offset, damaged):
        size = len(self._data(number)) - offset
        if size:
            self.open_losses.append(Loss(self._name(number), offset, size, damaged=damaged))

    def _agrees(self, number, offset, record, known):
        salted = struct.pack(">QQQ", self.meta.generation, number, offset) + record
        return known == (len(record) - 4, crc32c(salted))

    def _report_missing(self, noted):
        (read, offset), (write, end) = self.meta.read, self.meta.write
        last = write if end else write - 1
        number = read
        for there in [n for n in self.segments if read <= n <= last] + [last + 1]:
            if number < there:
                at = offset if number == read else 0
                size = end - at if noted and number == write else 0
                self.open_losses.append(Loss(self._name(number), at, size))
            number = there + 1

    # A bare meta: an original wrote last.

    def _open_bare(self):
        """Takes what a bare meta says as far as it is borne out; False where it is not."""
        meta = self.meta
        if meta.read > meta.write:
            return False
        read = meta.read
        if read[0] not in self.segments:
            later = [n for n in self.segments if n > read[0]]
            read = (later[0] if later else meta.write[0], 0)
        count, broken = self._count_bare(read, holes=False)
        exact = count == meta.depth
        if not exact:
            count, broken = self._count_bare(read, holes=True)
        border = exact or self._is_border(read)
        known = len(self.open_losses)
        self._report_missing(noted=False)
        is_missing = known < len(self.open_losses)
        explained = count is not None and (count >= meta.depth or is_missing)
        if border and (broken or explained):
            self._take_all(read, meta.write, exact)
            return True
        corrected = self._corrected_read()
        if corrected is None and not border:
            del self.open_losses[known:]
            return False
        lost = max(meta.depth - count, 0) if corrected is None and count is not None else 0
        size = len(self.files[self.meta_name])
        self.open_losses.append(Loss(self.meta_name, 0, size, lost))
        self._take_all(corrected or read, None, False)
        return True

    def _count_bare(self, read, holes):
        """The records up to the write position (None: that is no border), and whether one broke."""
        write = self.meta.write
        count, found, broken = 0, None, False
        for number in (n for n in self.segments if read[0] <= n <= write[0]):
            data = self._data(number)
            offset = min(read[1], len(data)) if number == read[0] else 0
            while True:
                if (number, offset) == write:
                    found = count
                    break
                record = record_at(data, offset)
                if record is None or (holes and _is_hole(data, offset)):
                    break
                count += 1
                offset += len(record)
                if (number, offset) > write:
                    break
            ended = offset == len(data)
            broken = broken or ((number, offset) < write and (not ended or number == write[0]))
        if found is None and write[1] == 0 and not any(n >= write[0] for n in self.segments):
            found = count
        return found, broken

    def _is_border(self, place):
        number, offset = place
        if number not in self.segments:
            return offset == 0
        at = 0
        while at < offset and (record := record_at(self._data(number), at)) is not None:
            at += len(record)
        return at == offset

    def _corrected_read(self):
        """The one border that a changed bit of the read position explains."""
        borders, count = [], 0
        for number in (n for n in self.segments if n <= self.meta.write[0]):
            data, offset = self._data(number), 0
            while True:
                if (number, offset) == self.meta.write:
                    fits = [b for b, before in borders if count - before == self.meta.depth]
                    return fits[0] if fits else None
                if _one_bit_off((number, offset), self.meta.read):
                    borders.append(((number, offset), count))
                record = record_at(data, offset)
                if record is None:
                    break
                count += 1
                offset += len(record)
        return None

    # Without a meta that tells where the log ends: all complete records of all segments.

    def _is_ours(self):
        return self.prefix + b"meta.spare" in self.files or any(
            re.fullmatch(re.escape(self.prefix) + rb"[0-9]+\.sums", name) for name in self.files
        )

    def _take_all(self, read, write, holes_count):
        """Takes all records from `read` on; beyond a believed write position no empty ones."""
        for number in (n for n in self.segments if n >= read[0]):
            data = self._data(number)
            begin = end = min(read[1], len(data)) if number == read[0] else 0
            while (record := record_at(data, end)) is not None:
                before = write is not None and (number, end) < write
                if len(record) == 4 and write is not None and not before:
                    break
                if not holes_count and _is_hole(data, end):
                    break
                end += len(record)
            self.plan.append((number, begin, end, end < len(data)))
            last = number == self.segments[-1] or (write is not None and (number, end) >= write)
            self._reject(number, end, damaged=not last)
            if write is not None and number == write[0] and end == len(data) < write[1]:
                self.open_losses.append(Loss(self._name(number), end, write[1] - end))
        self.depth = self._count()

    # Reading.

    def deliver(self):
        """Yields what the reads return, in order: messages (bytes) and losses."""
        for number, begin, end, is_set in self.plan:
            yield from self._deliver_segment(number, begin, end, is_set)

    def _deliver_segment(self, number, offset, end, is_set):
        data = self._data(number)[:end]
        sums = self.sums.get(number, Sums())
        name = self._name(number)
        while True:
            known = sums.known.get(offset)
            record = record_at(data, offset)
            right = record is not None and (
                known is None or self._agrees(number, offset, record, known)
            )
            if known is None and sums.sealed is not None and sums.sealed <= offset < end:
                yield Loss(name, offset, end - offset, 0)
                return
            if right:
                yield record[4:]
                offset += len(record)
            elif known is not None and offset + 4 + known[0] <= end:
                yield Loss(name, offset, 4 + known[0], 1)
                offset += 4 + known[0]
            elif known is not None and not is_set:
                lost, at = 0, offset
                while at in sums.known:
                    lost += 1
                    at += 4 + sums.known[at][0]
                yield Loss(name, offset, end - offset, lost)
                return
            elif offset >= end:
                return
            else:
                yield Loss(name, offset, end - offset)
                return


def _is_hole(data, offset):
    """Whether so many empty records in a row begin here that they count as a hole."""
    return data[offset : offset + 4 * HOLE_RECORDS] == bytes(4 * HOLE_RECORDS)


def _one_bit_off(one, other):
    """Whether one bit of one digit tells the places apart."""
    digits = [(str(a), str(b)) for a, b in zip(one, other)]
    if any(len(a) != len(b) for a, b in digits):
        return False
    pairs = (pair for a, b in digits for pair in zip(a, b))
    return sum(bin(int(a) ^ int(b)).count("1") for a, b in pairs) == 1
