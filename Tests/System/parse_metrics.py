"""Reads Prometheus text from standard input with Prometheus' own client, and checks that it holds what the daemon promises."""

import sys

from prometheus_client.parser import text_string_to_metric_families

families = list(text_string_to_metric_families(sys.stdin.read()))
names = [family.name for family in families]
if len(names) != len(set(names)):
    sys.exit(f"a family stands twice: {sorted(names)}")
samples = sum(len(family.samples) for family in families)
if samples < 10:
    sys.exit(f"only {samples} samples in {sorted(names)}")
for family in families:
    for sample in family.samples:
        if {"player", "key"} & set(sample.labels):
            sys.exit(f"{sample.name} is labelled by something from outside: {sample.labels}")
print(f"{len(families)} families, {samples} samples")
