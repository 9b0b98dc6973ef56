"""Numbers to offer instead of one that does not fit."""

from __future__ import annotations

from math import gcd

_MOST = 1_000_000  # a total beyond it is a slip of the pen; looking for its divisors would take as long as it is wrong


def multiples_near(value: int, step: int) -> list[int]:
    """The multiples of ``step`` just below and just above ``value``, positive ones only."""
    below = value // step * step
    return [number for number in (below, below + step) if number > 0]


def factor_for(other: int, divisor: int) -> int:
    """The smallest f such that f x ``other`` is a multiple of ``divisor``."""
    return divisor // gcd(other, divisor)


def divisors_near(value: int, total: int) -> list[int]:
    """The divisors of ``total`` next to ``value``, below and above."""
    if total > _MOST:
        return [1]
    divisors = [number for number in range(1, total + 1) if total % number == 0]
    below = [number for number in divisors if number < value]
    above = [number for number in divisors if number > value]
    return below[-1:] + above[:1]
