"""pictures.py [--check] -- draw docs/pictures/*.svg: how rows are distributed, the halo, the two copies of a vector,
and one matrix in every format.  The arrays in the pictures are computed from the matrix, not typed.  --check: compare."""
import os
import sys

CELL = 24
ROWS = ["#cfe2f7", "#fde0bd", "#d3ecc9", "#ead2f0"]  # a colour for each row of the matrix, or for each process
DARK = ["#2b6cb0", "#c05c00", "#38803a", "#8a3c9e"]
GREY, INK, EMPTY = "#e8e8e8", "#222222", "#ffffff"

# The matrix of all formats: 4 x 5, 8 entries.
M, N = 4, 5
A = [(0, 0, "a"), (0, 2, "b"), (2, 1, "c"), (2, 2, "d"), (2, 3, "e"), (3, 0, "f"), (3, 3, "g"), (3, 4, "h")]
ROW = [[(j, v) for i, j, v in A if i == r] for r in range(M)]


class Picture:
    def __init__(self, title, margin=10):
        self.title, self.parts, self.margin, self.w, self.h = title, [], margin, 0, 0

    def reach(self, x, y):
        self.w, self.h = max(self.w, x), max(self.h, y)

    def cell(self, x, y, text="", fill=EMPTY, w=CELL, h=CELL, line="#777777", dash=False):
        self.parts.append('<rect x="%g" y="%g" width="%g" height="%g" fill="%s" stroke="%s"%s/>'
                          % (x, y, w, h, fill, line, ' stroke-dasharray="3 2"' if dash else ""))
        if text != "":
            self.text(x + w / 2, y + h / 2 + 4.5, text, "middle")
        self.reach(x + w, y + h)

    def text(self, x, y, text, anchor="start", size=13, fill=INK, bold=False):
        self.parts.append('<text x="%g" y="%g" text-anchor="%s" font-size="%g" fill="%s"%s>%s</text>'
                          % (x, y, anchor, size, fill, ' font-weight="bold"' if bold else "", text))
        width = (0.66 if bold else 0.56) * size * len(str(text))
        self.reach(x + {"start": width, "middle": width / 2, "end": 0}[anchor], y + 4)

    def array(self, x, y, label, values, fills=None, w=CELL, name=46):
        """A labelled row of cells; returns the height below it."""
        self.text(x, y + CELL / 2 + 4.5, label, bold=True)
        for k, v in enumerate(values):
            self.cell(x + name + k * w, y, v, fills[k] if fills else EMPTY, w)
        return y + CELL + 8

    def grid(self, x, y, rows, fills):
        for i, row in enumerate(rows):
            for k, v in enumerate(row):
                self.cell(x + k * CELL, y + i * CELL, v, fills[i][k])

    def arrow(self, x0, y0, x1, y1, color=INK):
        self.parts.append('<path d="M%g %g C%g %g %g %g %g %g" fill="none" stroke="%s" stroke-width="1.8" '
                          'marker-end="url(#head)"/>' % (x0, y0, x0, (y0 + y1) / 2, x1, (y0 + y1) / 2, x1, y1, color))

    def svg(self):
        w, h = self.w + 2 * self.margin, self.h + 2 * self.margin
        return ('<svg xmlns="http://www.w3.org/2000/svg" width="%g" height="%g" viewBox="0 0 %g %g" role="img" '
                'font-family="DejaVu Sans, Verdana, Arial, sans-serif">\n<title>%s</title>\n'
                '<defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="6" markerHeight="6" '
                'orient="auto"><path d="M0 0L8 4L0 8z" fill="%s"/></marker></defs>\n'
                '<rect width="100%%" height="100%%" rx="6" fill="#ffffff"/>\n'
                '<g transform="translate(%g %g)">\n%s\n</g>\n</svg>\n' % (w, h, w, h, self.title, INK, self.margin, self.margin, "\n".join(self.parts)))


def matrix(p, x=22, y=20, cuts=()):
    """The matrix; cuts: after these rows and columns a thick line, as (rows, columns)."""
    for j in range(N):
        p.text(x + j * CELL + CELL / 2, y - 6, j, "middle", 11, "#777777")
    for i in range(M):
        p.text(x - 8, y + i * CELL + 17, i, "end", 11, "#777777")
        for j in range(N):
            v = dict(ROW[i]).get(j, "")
            p.cell(x + j * CELL, y + i * CELL, v, ROWS[i] if v else EMPTY, line="#bbbbbb")
    for i in cuts[0] if cuts else ():
        p.parts.append('<path d="M%g %gh%g" stroke="%s" stroke-width="2"/>' % (x, y + i * CELL, N * CELL, INK))
    for j in cuts[1] if cuts else ():
        p.parts.append('<path d="M%g %gv%g" stroke="%s" stroke-width="2"/>' % (x + j * CELL, y, M * CELL, INK))
    return x + N * CELL + 36


def entries(p, x, y, arrays, items):
    fills = [ROWS[i] for i, _, _ in items]
    for label, values in arrays:
        y = p.array(x, y, label, values, fills)
    return y


def coo():
    p = Picture("COO: row, column and value of each entry")
    x = matrix(p)
    entries(p, x, 20, [("ia", [i for i, _, _ in A]), ("ja", [j for _, j, _ in A]), ("val", [v for _, _, v in A])], A)
    return p


def compressed(title, items, label, index, starts):
    p = Picture(title)
    x = matrix(p)
    y = p.array(x, 20, label, starts)
    entries(p, x, y, [(index, [t[1] if index == "ja" else t[0] for t in items]), ("val", [t[2] for t in items])], items)
    return p


def csr():
    return compressed("CSR: compressed rows", A, "irp", "ja", [sum(len(r) for r in ROW[:i]) for i in range(M + 1)])


def csc():
    items = sorted(A, key=lambda t: (t[1], t[0]))
    return compressed("CSC: compressed columns", items, "icp", "ia",
                      [sum(t[1] < j for t in items) for j in range(N + 1)])


def padded(p, x, y, rows, order, widths, heads=True):
    """Values and columns of hacks: rows in this order, widths[i] places for a row."""
    top = max(widths)
    for what, head in (0, "val"), (1, "ja"):
        if heads:
            p.text(x, y - 6, head, bold=True)
        for r, i in enumerate(order):
            for k in range(widths[r]):
                here = k < len(rows[i])
                p.cell(x + k * CELL, y + r * CELL, (rows[i][k][1 - what] if here else ""), ROWS[i] if here else GREY)
        x += top * CELL + 22
    return x


def column(p, x, y, label, values, fills=None, step=1):
    p.text(x + CELL / 2, y - 6, label, "middle", bold=True)
    for r, v in enumerate(values):
        p.cell(x, y + r * step * CELL, v, fills[r] if fills else EMPTY)
    return x + CELL + 22


def ell():
    p = Picture("ELL: all rows padded to one width")
    x = matrix(p)
    x = padded(p, x, 20, ROW, range(M), [max(map(len, ROW))] * M)
    column(p, x, 20, "irn", [len(r) for r in ROW], ROWS)
    return p


def hacks(order, rows):
    widths = [max(len(ROW[i]) for i in order[h:h + rows]) for h in range(0, M, rows)]
    off = [rows * sum(widths[:h]) for h in range(len(widths) + 1)]
    return [widths[r // rows] for r in range(M)], off


def hll():
    p = Picture("HLL: hacks of rows, here 2, each as wide as its longest row")
    x = matrix(p, cuts=([2], []))
    widths, off = hacks(range(M), 2)
    x = padded(p, x, 20, ROW, range(M), widths)
    x = column(p, x, 20, "irn", [len(r) for r in ROW], ROWS)
    column(p, x, 20, "off", off, step=2)
    return p


def sell():
    p = Picture("SELL: HLL with rows sorted by length, here hacks of 2 rows in a window of 4")
    x = matrix(p)
    order = sorted(range(M), key=lambda i: -len(ROW[i]))
    widths, off = hacks(order, 2)
    x = column(p, x, 20, "row", order, [ROWS[i] for i in order])
    x = padded(p, x, 20, ROW, order, widths)
    column(p, x, 20, "off", off, step=2)
    return p


def hyb():
    p = Picture("HYB: up to 2 entries of a row in ELL, the rest as triplets")
    x = matrix(p)
    right = padded(p, x, 20, [r[:2] for r in ROW], range(M), [2] * M)
    rest = [(i, j, v) for i in range(M) for j, v in ROW[i][2:]]
    y = 20
    for label, values in ("ia", [t[0] for t in rest]), ("ja", [t[1] for t in rest]), ("val", [t[2] for t in rest]):
        y = p.array(right, y, label, values, [ROWS[t[0]] for t in rest], name=34)
    return p


def diagonals(p, x, y, rows):
    for first in range(0, M, rows):
        hack = [t for t in A if first <= t[0] < first + rows]
        for k, d in enumerate(sorted({j - i for i, j, _ in hack})):
            at = {i: v for i, j, v in hack if j - i == d}
            p.text(x + k * 34 + CELL / 2, y - 6, str(d).replace("-", "\u2212"), "middle", bold=True)
            for r in range(rows):
                here = first + r in at
                p.cell(x + k * 34, y + r * CELL, at.get(first + r, ""), ROWS[first + r] if here else GREY)
        y += rows * CELL + 26


def dia():
    p = Picture("DIA: diagonals, with their distances column minus row")
    diagonals(p, matrix(p), 20, M)
    return p


def hdia():
    p = Picture("HDIA: hacks of rows, here 2, each with its own diagonals")
    diagonals(p, matrix(p, cuts=([2], [])), 20, 2)
    return p


def bsr():
    p = Picture("BSR: blocks of 2 x 2, stored whole")
    x = matrix(p, cuts=([2], [2, 4]))
    y, off = 20, [0]
    for h in range(0, M, 2):
        blocks = sorted({j // 2 for i, j, _ in A if i // 2 == h // 2})
        for k, b in enumerate(blocks):
            for i in range(2):
                for j in range(2):
                    v = dict(ROW[h + i]).get(2 * b + j, "")
                    p.cell(x + k * 62 + j * CELL, y + i * CELL, v, ROWS[h + i] if v else GREY)
            p.text(x + k * 62 + CELL, y - 6, "ja %d" % b, "middle", 12)
        off.append(off[-1] + len(blocks))
        y += 2 * CELL + 26
    p.array(x, y - 10, "off", off)
    return p


def rsb():
    p = Picture("RSB: quarters, each a small matrix; one without entries has none")
    x = matrix(p, cuts=([2], [3]))
    for i in range(M):
        for j in range(N):
            if i < 2 and j >= 3:  # no entries: no leaf
                continue
            v = dict(ROW[i]).get(j, "")
            p.cell(x + j * CELL + (j >= 3) * 20, 20 + i * CELL + (i >= 2) * 20, v, ROWS[i] if v else EMPTY,
                   line="#bbbbbb")
    return p


def hlgp():
    """Its own matrix, whose main diagonal is full."""
    p = Picture("HLGP: slots of a strip, here of 4 rows, with columns in no byte and in one byte")
    rows = [[0, 3], [0, 1], [2, 5], [3, 6]]
    for i, row in enumerate(rows):
        p.text(12, 20 + i * CELL + 17, i, "end", 11, "#777777")
        for j in range(7):
            p.cell(20 + j * CELL, 20 + i * CELL, "", ROWS[i] if j in row else EMPTY, line="#bbbbbb")
    for j in range(7):
        p.text(20 + j * CELL + CELL / 2, 14, j, "middle", 11, "#777777")
    x = 20 + 7 * CELL + 40
    rest = [[j for j in row if j != i][0] for i, row in enumerate(rows)]
    base = min(j - i for i, j in enumerate(rest))
    p.text(x, 14, "diagonal", bold=True)
    p.text(x + 94, 14, "bytes", bold=True)
    p.text(x + 94 + 66, 14, "column", bold=True)
    for i in range(4):
        p.cell(x + 20, 20 + i * CELL, i, ROWS[i])
        p.cell(x + 100, 20 + i * CELL, rest[i] - i - base, ROWS[i])
        p.cell(x + 172, 20 + i * CELL, rest[i], ROWS[i])
    p.text(x, 20 + 4 * CELL + 18, "base 0")
    p.text(x + 94, 20 + 4 * CELL + 18, ("base %d" % base).replace("-", "\u2212"))
    return p


# A band matrix of 9 rows on 3 processes, for the pictures of the distribution.
def band(i, j):
    return abs(i - j) <= 1 or (i, j) in ((0, 5), (8, 2))


def halo_of(r):
    return sorted({j for i in range(3 * r, 3 * r + 3) for j in range(9) if band(i, j) and j // 3 != r})


def distribution():
    p = Picture("Rows of a matrix on three processes: entries in owned columns, and in halo columns")
    for j in range(9):
        p.text(78 + j * CELL + CELL / 2, 14, j, "middle", 11, "#777777")
    for i in range(9):
        r = i // 3
        y = 20 + i * CELL + r * 10
        if i % 3 == 0:
            p.text(0, y + 40, "process %d" % r, size=12, fill=DARK[r], bold=True)
        for j in range(9):
            p.cell(78 + j * CELL, y, "\u00d7" if band(i, j) else "", ROWS[j // 3] if band(i, j) else EMPTY,
                   line="#bbbbbb")
        p.parts.append('<rect x="%g" y="%g" width="%g" height="%g" fill="none" stroke="%s" stroke-width="2"/>'
                       % (78 + 3 * r * CELL, 20 + 3 * r * CELL + r * 10, 3 * CELL, 3 * CELL, DARK[r]))
        p.cell(78 + 9 * CELL + 30, y, i, ROWS[r])
    p.text(78 + 9 * CELL + 30 + CELL / 2, 14, "x", "middle", bold=True)
    return p


def halo():
    p = Picture("The halo exchange: owned elements of x are copied into the halos of other processes")
    place = {}
    for r in range(3):
        y = 18 + r * 82
        p.text(0, y + 17, "process %d" % r, size=12, fill=DARK[r], bold=True)
        for k in range(3):
            place[r, 3 * r + k] = 84 + k * CELL
            p.cell(84 + k * CELL, y, 3 * r + k, ROWS[r])
        for k, j in enumerate(halo_of(r)):
            place[r, j] = 84 + 3 * CELL + 12 + k * CELL
            p.cell(place[r, j], y, j, ROWS[j // 3], dash=True)
    p.text(84, 10, "owned", size=12)
    p.text(84 + 3 * CELL + 12, 10, "halo", size=12)
    for r in range(3):
        for j in halo_of(r):
            o = j // 3
            y0, y1 = 18 + o * 82, 18 + r * 82
            down = o < r
            p.arrow(place[o, j] + CELL / 2, y0 + (CELL if down else 0), place[r, j] + CELL / 2,
                    y1 + (-2 if down else CELL + 2), DARK[o])
    return p


def dual():
    p = Picture("The two copies of a vector: which is valid after each access, and what is transferred")
    steps = [("host_write", True, False, ""), ("device_read", True, True, "host to device"),
             ("device_update", False, True, ""), ("device_read", False, True, ""),
             ("host_read", True, True, "device to host"), ("host_update", True, False, "")]
    for x, head in (0, "access"), (140, "host"), (210, "device"), (300, "copied"):
        p.text(x, 12, head, bold=True)
    for k, (call, host, device, moved) in enumerate(steps):
        y = 22 + k * 34
        p.text(0, y + 17, call)
        for x, valid, color in (140, host, 0), (210, device, 2):
            p.cell(x, y, "valid" if valid else "stale", ROWS[color] if valid else GREY, 56)
        p.text(300, y + 17, moved or "\u2013")
    return p


def parts():
    """What process 1 of the distribution stores."""
    p = Picture("Process 1 stores two matrices: entries in owned columns, and rows with entries in halo columns")
    h = halo_of(1)
    p.text(30, 12, "ad", bold=True)
    p.text(30 + 3 * CELL + 50, 12, "ah", bold=True)
    for i in range(3):
        p.text(20, 38 + i * CELL + 17, i + 3, "end", 11, "#777777")
        for k in range(3):
            p.cell(30 + k * CELL, 38 + i * CELL, "\u00d7" if band(3 + i, 3 + k) else "",
                   ROWS[1] if band(3 + i, 3 + k) else EMPTY, line="#bbbbbb")
    for k in range(3):
        p.text(30 + k * CELL + CELL / 2, 32, 3 + k, "middle", 11, "#777777")
    rows = [i for i in range(3, 6) if any(band(i, j) for j in h)]
    for r, i in enumerate(rows):
        p.text(30 + 3 * CELL + 40, 38 + r * CELL + 17, i, "end", 11, "#777777")
        for k, j in enumerate(h):
            p.cell(30 + 3 * CELL + 50 + k * CELL, 38 + r * CELL, "\u00d7" if band(i, j) else "",
                   ROWS[j // 3] if band(i, j) else EMPTY, line="#bbbbbb")
    for k, j in enumerate(h):
        p.text(30 + 3 * CELL + 50 + k * CELL + CELL / 2, 32, j, "middle", 11, "#777777")
    return p


def main():
    folder = os.path.join(os.path.dirname(os.path.abspath(__file__)), "pictures")
    wrong = 0
    for draw in (distribution, halo, parts, dual, coo, csr, csc, ell, hll, sell, hyb, dia, hdia, bsr, rsb, hlgp):
        path, svg = os.path.join(folder, draw.__name__ + ".svg"), draw().svg()
        if sys.argv[1:] != ["--check"]:
            with open(path, "w", encoding="utf-8") as f:
                f.write(svg)
        elif not os.path.exists(path) or open(path, encoding="utf-8").read() != svg:
            print("docs/pictures/%s.svg is not what docs/pictures.py draws: run it" % draw.__name__)
            wrong = 1
    return wrong


if __name__ == "__main__":
    sys.exit(main())
