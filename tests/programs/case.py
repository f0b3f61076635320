"""What a test of a program is, and how two arrays are compared."""
import numpy as np


class Case:
    """`check(tool)` gives None, or what is wrong."""

    def __init__(self, program, name, check):
        self.program, self.name, self.check = program, name, check


def differs(found, name, wanted):
    """None where found[name] is `wanted`, else the first place where it is not."""
    have, want = found[name].ravel(), np.asarray(wanted).ravel()
    if have.shape != want.shape:
        return f"{name} has {have.size} elements, expected {want.size}"
    same = have == want
    if have.dtype.kind == "f":
        same |= np.isnan(have) & np.isnan(want.astype(have.dtype))
    if same.all():
        return None
    at = int(np.argmin(same))
    return f"{name}[{at}] is {have[at]}, expected {want[at]}; {int((~same).sum())} of {have.size} differ"


def first_of(*found):
    """The first of the messages that is one."""
    return next((text for text in found if text), None)
