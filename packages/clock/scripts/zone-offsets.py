"""Writes test/data/zone-offsets.json: every change of offset in every zone, as Python reads the tz database.

It is what the clock's own rules are compared with, so it shares no code and no data file with them. After
`npm update moment-timezone`, write it anew, in any folder outside the repository:

    python3 -m venv tz && tz/bin/pip install --upgrade tzdata
    PYTHONTZPATH= tz/bin/python <repository>/packages/clock/scripts/zone-offsets.py

`PYTHONTZPATH=` keeps Python from taking the older rules of the operating system.
"""

import json
import zoneinfo
from datetime import datetime, timedelta, timezone
from pathlib import Path

import tzdata

DATA = Path(__file__).parent.parent / "test" / "data"
START = datetime(2026, 1, 1, tzinfo=timezone.utc)
END = datetime(2046, 1, 1, tzinfo=timezone.utc)

# Names of Java that the tz database does not have: ZoneId.SHORT_IDS, and the file "systemv" of old releases.
JAVA_NAMES = {
    "ACT": "Australia/Darwin", "AET": "Australia/Sydney", "AGT": "America/Argentina/Buenos_Aires",
    "ART": "Africa/Cairo", "AST": "America/Anchorage", "BET": "America/Sao_Paulo", "BST": "Asia/Dhaka",
    "CAT": "Africa/Harare", "CNT": "America/St_Johns", "CST": "America/Chicago", "CTT": "Asia/Shanghai",
    "EAT": "Africa/Addis_Ababa", "ECT": "Europe/Paris", "IET": "America/Indiana/Indianapolis",
    "IST": "Asia/Kolkata", "JST": "Asia/Tokyo", "MIT": "Pacific/Apia", "NET": "Asia/Yerevan",
    "NST": "Pacific/Auckland", "PLT": "Asia/Karachi", "PNT": "America/Phoenix", "PRT": "America/Puerto_Rico",
    "PST": "America/Los_Angeles", "SST": "Pacific/Guadalcanal", "VST": "Asia/Ho_Chi_Minh",
    "SystemV/AST4": "Etc/GMT+4", "SystemV/AST4ADT": "America/Halifax", "SystemV/CST6": "Etc/GMT+6",
    "SystemV/CST6CDT": "America/Chicago", "SystemV/EST5": "Etc/GMT+5", "SystemV/EST5EDT": "America/New_York",
    "SystemV/HST10": "Etc/GMT+10", "SystemV/MST7": "Etc/GMT+7", "SystemV/MST7MDT": "America/Denver",
    "SystemV/PST8": "Etc/GMT+8", "SystemV/PST8PDT": "America/Los_Angeles", "SystemV/YST9": "Etc/GMT+9",
    "SystemV/YST9YDT": "America/Anchorage",
}  # fmt: skip


def seconds_ahead(zone: zoneinfo.ZoneInfo, instant: datetime) -> int:
    return int(instant.astimezone(zone).utcoffset().total_seconds())


def changes(zone: zoneinfo.ZoneInfo) -> list[list[int]]:
    """Pairs of the second from which an offset holds, and that offset in seconds."""
    found = [[int(START.timestamp()), seconds_ahead(zone, START)]]
    instant = START
    while instant < END:
        following = instant + timedelta(hours=12)
        if seconds_ahead(zone, following) != found[-1][1]:
            before, after = instant, following
            while after - before > timedelta(seconds=1):
                middle = before + timedelta(seconds=(after - before).total_seconds() // 2)
                if seconds_ahead(zone, middle) == found[-1][1]:
                    before = middle
                else:
                    after = middle
            found.append([int(after.timestamp()), seconds_ahead(zone, after)])
        instant = following
    return found


identifiers = sorted(row[0] for row in json.loads((DATA / "jdk25-base.json").read_text())["zones"])
groups: dict[str, list[str]] = {}
for identifier in identifiers:
    zone = zoneinfo.ZoneInfo(JAVA_NAMES.get(identifier, identifier))
    groups.setdefault(json.dumps(changes(zone), separators=(",", ":")), []).append(identifier)

lines = [f'{{"zones":{json.dumps(zones)},"changes":{text}}}' for text, zones in groups.items()]
(DATA / "zone-offsets.json").write_text(
    f'{{"release":"{tzdata.IANA_VERSION}","until":{int(END.timestamp())},"groups":[\n' + ",\n".join(lines) + "\n]}\n"
)
print(f"{tzdata.IANA_VERSION}: {len(identifiers)} zones, {len(groups)} groups")
