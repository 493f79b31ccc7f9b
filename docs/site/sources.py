"""sources.py SRCDIR OUT -- gather what Sphinx reads: the pages, and the reference of calls from the headers.

The pages keep their places, so that links between them hold.  The reference shows a call of several scalars once, with
T, R and psb_Tspmat, and names those of each scalar below it."""
import glob
import os
import re
import sys

from headers import Header, read, sentence

PAGES = ["*.md", "docs/*.md", "docs/*.svg", "docs/decisions/*.md", "docs/pictures/*.svg", "docs/tables/*.tsv",
         "examples/README.md", "python/README.md", "test/kernel/README.md", "test/kernel/results/README.md",
         "test/data/README.md"]

# The pages of the reference: title, what they hold, headers in their order.
AREAS = [
    ("contexts", "Contexts and messages", "processes, sums and messages between them, timers, logs, versions",
     "psb_ctxt.h psb_coll.h psb_timers.h psb_log.h psb_log_lines.h psb_stage.h psb_version.h"),
    ("errors", "Codes and messages of errors", "what calls return, and what they say", "psb_err.h"),
    ("descriptors", "Descriptors", "owners of rows, halos, indices", "psb_desc.h psb_index.h psb_int.h"),
    ("vectors", "Vectors", "creation, access, halos", "psb_vect.t.h psb_vec_types.h"),
    ("sums", "Sums, dot products, scalars", "computations on vectors", "psb_geops.t.h psb_scal.t.h psb_arrays.t.h"),
    ("matrices", "Matrices and products", "assembly, products, sums, parts of a distributed matrix",
     "psb_spmat.t.h psb_sp_calls.t.h psb_dupl.h psb_mat_types.h"),
    ("local", "Matrices of one process", "every method of a format, and arrays of other libraries",
     "psb_mat_calls.t.h psb_mat_dense.t.h psb_raw.h psb_raw.t.h"),
    ("solvers", "Solvers", "Krylov methods, solvers that are kept, operators", "psb_krylov.h psb_krylov.t.h "
     "psb_solver.t.h psb_operator.t.h"),
    ("preconditioners", "Preconditioners", "preconditioners and incomplete factors",
     "psb_prec.h psb_prec.t.h psb_factor.h psb_factor.t.h"),
    ("files", "Files, generators, partitions", "Matrix Market, Harwell-Boeing, generated matrices, METIS, orders of rows",
     "psb_mm.h psb_mm.t.h psb_mm_all.t.h psb_mm_write.t.h psb_hb.h psb_hb.t.h psb_matdist.t.h psb_gen.h "
     "psb_gen.t.h psb_pde.h psb_gen_pde.t.h psb_part.h psb_order.h psb_renum.t.h"),
    ("gpu", "GPUs, formats, memory", "devices, registration of formats, transfers, pools",
     "psb_cuda.h psb_gpu.h psb_cuda_device.h psb_ext.h psb_rsb.h psb_vmold.h psb_transfer.h psb_pool.h psb_alloc.h "
     "psb_cuda_raw.t.h psb_dlpack.h psb_dlpack.t.h"),
]


# What is marked in comments: words in backquotes, names of headers, of calls and of constants.
WORDS = r"(`[^`]*`|\bpsb_[\w.]+\.h\b|\bpsb_(?:\?_)?\w*\w|\bPSB_\w+)"


class Reference:
    """The pages of the calls, in reStructuredText."""

    def __init__(self, paths):
        generic = {n for path in paths for n in re.findall(r"#define (psb_\w+)\(", read(path))}
        self.headers = {os.path.basename(path): Header(path, generic) for path in paths}
        self.codes = [code for path in paths if path.endswith("psb_err.h")
                      for code in re.findall(r'E\((PSB_\w+), "([^"]*)"\)', read(path))]
        # By its name, the declaration that is shown: of several the call, or the one with members.
        self.shown = {}
        for area in AREAS:
            for header in area[3].split():
                for _, _, declarations in self.headers[header].groups:
                    for d in declarations:
                        for name in d.names:
                            known = self.shown.get(name)
                            if not known or known.kind != "function" and (d.kind == "function" or "{" in d.code):
                                self.shown[name] = d

    def target(self, name):
        """The role of Sphinx for a name, and the name with which it is declared; ("", "") if it is not."""
        if re.match(r"PSB_(OK|E[A-Z]+)$", name) or name == "psb_err":
            return "c:enumerator" if name != "psb_err" else "c:enum", name
        typed = name.replace("_?_", "_T_")
        d = self.shown.get(typed) or self.shown.get(typed.replace("_T_", "_"))
        return ("c:" + d.kind.replace("function", "func"), d.names[0]) if d else ("", "")

    def rst(self, text):
        """A comment: paragraphs, and as they are those that are indented."""
        text = re.sub(r"X\((\w+)\)", r"psb_?_\1", text)
        return "\n\n".join("::\n\n" + indented(block, "   ") if re.search(r"(?m)^   ", block) else self.paragraph(block)
                           for block in re.split(r"\n\s*\n", text))

    def paragraph(self, text):
        out = ""
        for i, part in enumerate(re.split(WORDS, " ".join(text.split()))):
            if i % 2 == 0:
                out += re.sub(r"([*`|\\_])", r"\\\1", part)
                continue
            role, target = self.target(part)
            marked = ":%s:`%s <%s>`" % (role, part, target) if role else "``%s``" % part.strip("`")
            out += "\\ " * bool(re.search(r"\S$", out)) + marked + "\\ "  # blanks that are not printed
        return out

    def directive(self, d):
        """A declaration, unless it is shown elsewhere: then its members, if it has some."""
        block = ".. code-block:: c\n\n" + indented(d.source().strip(), "   ") + "\n"
        if not d.kind or self.shown[d.names[0]] is not d:
            return block if "{" in d.code else ""
        lines, body = d.names, ""
        if d.kind == "macro":
            lines = re.findall(r"#define (\w+\([^)]*\))", d.code)
        elif d.kind == "var":
            lines = [d.signature()]
        elif d.kind == "function":  # of the calls of each scalar the name alone is visible
            lines = [d.signature()] + ["void %s()" % name for name in d.names[1:]]
        elif d.kind == "type" or "{" in d.code:
            body = "\n" + indented(block, "   ")
        head = ".. c:%s:: " % d.kind
        return head + ("\n" + " " * len(head)).join(lines) + "\n" + body

    def header(self, name):
        h = self.headers[name]
        head = re.sub(r"^\S+ -- ([\w/]+: )?", "", h.head)
        out = [name, "-" * len(name), "", self.rst(sentence(head)), ""]
        section = ""
        for title, comment, declarations in h.groups:
            made = [self.directive(d) for d in declarations]
            if "inside" in title or declarations and not any(made):
                continue
            if title != section:
                section = title
                out += [sentence(title), "~" * len(title), ""]
            # One comment for several declarations stands below the last of them.
            body = self.rst(comment)
            out += ["\n".join(made), "", indented(body, "   ") if made and ".. c:" in made[-1] else body, ""]
        return "\n".join(out)

    def errors(self):
        out = ".. c:enum:: psb_err\n\n   What a call returns. :doc:`What to do </docs/errors>`.\n\n"
        return out + "".join(".. c:enumerator:: %s\n\n   %s.\n\n" % (code, sentence(text)) for code, text in self.codes)


def indented(text, by):
    return re.sub("(?m)^(?=.)", by, text)


TABLE = "```{csv-table}\n:file: \\1\n:delim: tab\n:quote: §\n:header-rows: 1\n:class: calls\n```\n"


def page(text, reference):
    """A page, where a line that is a link to a table becomes the table, and names of calls are links."""
    parts = re.split(r"(?ms)(^```.*?^```$|^#.*?$)", text)
    parts[::2] = [linked(part, reference) for part in parts[::2]]
    return re.sub(r"(?m)^\[[^]]*\]\((tables/[\w-]+\.tsv)\)\n", TABLE, "".join(parts))


def linked(text, reference):
    def link(match):
        role, target = reference.target(match.group(2))
        return "{%s}`%s <%s>`" % (role, match.group(1), target) if role else match.group()
    return re.sub(r"(?<!\[)`((psb_\w+|PSB_E\w+)(\([^`<]*\))?)`", link, text)


def sources(srcdir):
    """All that Sphinx reads, as (path, contents)."""
    folders = ["base", "base/*", "ext", "rsb", "cuda", "cuda/*", "util", "linsolve"]
    reference = Reference([h for f in folders for h in sorted(glob.glob(os.path.join(srcdir, f, "psb_*.h")))])
    names = [os.path.relpath(p, srcdir) for pattern in PAGES for p in sorted(glob.glob(os.path.join(srcdir, pattern)))
             if not p.endswith("docs/calls.md")]  # which a tarball has
    for name in names:
        text = read(os.path.join(srcdir, name))
        if name == "docs/decisions/README.md":
            text += "\n```{toctree}\n:hidden:\n:glob:\n\n0*\n```\n"
        yield name, page(text, reference) if name.endswith(".md") else linked(text, reference)
        # Other files that a page links to are downloads.
        for link in re.findall(r"\]\(([^):#]+)\)", text) if name.endswith(".md") else []:
            other = os.path.normpath(os.path.join(os.path.dirname(name), link))
            if other not in names and os.path.isfile(os.path.join(srcdir, other)):
                names.append(other)
    yield "index.md", read(os.path.join(srcdir, "docs/site/index.md"))
    for name, title, _, headers in AREAS:
        text = "%s\n%s\n\n" % (title, "=" * len(title))
        if name == "errors":
            text += reference.errors() + "\n"
        yield "api/%s.rst" % name, text + "\n".join(reference.header(h) for h in headers.split())
    yield "api/index.rst", "%s\n.. toctree::\n   :hidden:\n\n%s\n.. list-table::\n   :widths: 40 60\n\n%s" % (
        read(os.path.join(srcdir, "docs/site/api.rst")), "".join("   %s\n" % a[0] for a in AREAS),
        "".join("   * - :doc:`%s`\n     - %s\n" % (name, what) for name, _, what, _ in AREAS))


def main(srcdir, out):
    """Write what has changed, so that Sphinx reads no more, and remove what is no more there."""
    made = set()
    for name, text in sources(srcdir):
        path = os.path.join(out, name)
        made.add(path)
        if not os.path.exists(path) or read(path) != text:
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8") as f:
                f.write(text)
    for folder, _, files in os.walk(out):
        for path in {os.path.join(folder, f) for f in files} - made:
            os.remove(path)


if __name__ == "__main__":
    main(*sys.argv[1:])
