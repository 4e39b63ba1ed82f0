"""Names in the order of how near their spelling is."""

SHOWN = 20
COMPARED = 200
LONGEST = 40


def listed(wrong, names):
    """The declared names as text, nearest spelling first."""
    if not names:
        return "no members"
    ordered = list(names)
    if type(wrong) is str and len(ordered) <= COMPARED:
        ordered.sort(key=lambda name: distance(wrong[:LONGEST].lower(), name[:LONGEST].lower()))
    more = f" and {len(ordered) - SHOWN} more" if len(ordered) > SHOWN else ""
    return ", ".join(ordered[:SHOWN]) + more


def distance(left, right):
    """How many edits lie between two words."""
    row = list(range(len(right) + 1))
    for i, a in enumerate(left, 1):
        diagonal, row[0] = row[0], i
        for j, b in enumerate(right, 1):
            diagonal, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, diagonal + (a != b))
    return row[-1]
