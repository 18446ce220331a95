"""Numbers as the service has them, which is as JavaScript writes them."""

from decimal import Decimal

INTEGER_MAX = 2**53 - 1
"""The service refuses integers beyond this: next to one of them lie others that it could not tell from it."""


def number_text(value: float) -> str:
    """The shortest digits that give this number, laid out as in ECMA-262, Number::toString: plain from 1e-6 up to 1e21."""
    number = float(value)
    if number == 0:
        return "0"
    sign, all_digits, exponent = Decimal(repr(number)).as_tuple()
    if not isinstance(exponent, int):
        return str(number)
    digits = "".join(map(str, all_digits))
    point = len(digits) + exponent
    digits = digits.rstrip("0")
    return ("-" if sign else "") + _laid_out(digits, point)


def _laid_out(digits: str, point: int) -> str:
    if len(digits) <= point <= 21:
        return digits + "0" * (point - len(digits))
    if 0 < point <= 21:
        return f"{digits[:point]}.{digits[point:]}"
    if -6 < point <= 0:
        return "0." + "0" * -point + digits
    fraction = f".{digits[1:]}" if len(digits) > 1 else ""
    return f"{digits[0]}{fraction}e{'+' if point > 0 else '-'}{abs(point - 1)}"


def is_exact(value: object) -> bool:
    """Whether the service has room for it as it is."""
    return isinstance(value, bool) or not isinstance(value, int) or abs(value) <= INTEGER_MAX
