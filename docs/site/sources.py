"""sources.py SRCDIR OUT -- gather what Sphinx reads: the pages, and the reference of calls from the headers.

The pages keep their places, so that links between them hold.  A typed header declares X(name) once for all scalars;
so the reference shows one declaration, with T, R and psb_Tspmat, and names those of each scalar below it.  A call is
shown without a letter if a macro of that name chooses the scalar."""
import glob
import os
import re
import sys

PAGES = ["*.md", "docs/*.md", "docs/*.svg", "docs/decisions/*.md", "docs/pictures/*.svg", "docs/tables/*.tsv",
         "examples/README.md", "test/kernel/README.md", "test/kernel/results/README.md", "test/data/README.md"]

# The pages of the reference: title, what they hold, headers in their order.
AREAS = [
    ("contexts", "Contexts and messages", "processes, sums and messages between them, timers, versions",
     "psb_ctxt.h psb_coll.h psb_timers.h psb_version.h"),
    ("errors", "Codes and messages of errors", "what calls return, and what they say", "psb_err.h"),
    ("descriptors", "Descriptors", "owners of rows, halos, indices", "psb_desc.h psb_index.h psb_int.h"),
    ("vectors", "Vectors", "creation, access, halos", "psb_vect.t.h psb_vec_types.h"),
    ("sums", "Sums, dot products, scalars", "computations on vectors", "psb_geops.t.h psb_scal.t.h"),
    ("matrices", "Matrices and products", "assembly, products, sums, parts of a distributed matrix",
     "psb_spmat.t.h psb_sp_calls.t.h psb_dupl.h psb_mat_types.h"),
    ("local", "Matrices of one process", "every method of a format, and arrays of other libraries",
     "psb_mat_calls.t.h psb_raw.h psb_raw.t.h"),
    ("solvers", "Solvers", "Krylov methods, solvers that are kept, operators", "psb_krylov.h psb_krylov.t.h "
     "psb_solver.t.h psb_operator.t.h"),
    ("preconditioners", "Preconditioners", "preconditioners and incomplete factors",
     "psb_prec.h psb_prec.t.h psb_factor.h psb_factor.t.h"),
    ("files", "Files, generators, partitions", "Matrix Market, Harwell-Boeing, generated matrices, METIS",
     "psb_mm.h psb_mm.t.h psb_mm_all.t.h psb_mm_write.t.h psb_hb.h psb_hb.t.h psb_matdist.t.h psb_gen.h "
     "psb_gen.t.h psb_pde.h psb_gen_pde.t.h psb_part.h"),
    ("gpu", "GPUs, formats, memory", "devices, registration of formats, transfers, pools",
     "psb_cuda.h psb_gpu.h psb_cuda_device.h psb_ext.h psb_rsb.h psb_vmold.h psb_transfer.h psb_pool.h psb_alloc.h"),
]

COMMENT = re.compile(r"/\*.*?\*/", re.S)
NAME = r"(?:X\((\w+)\)|(psb_\w+))"


def read(path):
    with open(path, encoding="utf-8") as f:
        return f.read()


def plain(text):
    """The text of a comment, without its frame."""
    return re.sub(r"(?m)^ \* ?", "", text[2:-2]).strip(" \n")


def items(text):
    """The parts of a header at its outermost level: (kind, text), where kind is comment, code, macro or blank."""
    lines = COMMENT.sub(lambda c: c.group().replace("\n", "\0"), text)  # a comment is one line
    lines = re.sub(r"\\\n\s*", " ", lines)                              # and so is a macro
    code, depth = "", 0
    for line in lines.split("\n"):
        line = line.replace("\0", "\n")
        bare = COMMENT.sub("", line)
        if not code and line.startswith("/*") and not bare.strip():
            yield "comment", line
        elif not code and bare.startswith("#"):
            yield "macro", bare
        elif not code and (not bare.strip() or re.match(r"PSB_(BEGIN|END)_C|PSB_SHORT_NAMES", bare)):
            yield "blank", ""
        else:
            code += line + "\n"
            depth += bare.count("{") - bare.count("}")
            if depth == 0 and re.search(r"[;}]\s*$", bare):
                yield "code", code.rstrip()
                code = ""


class Header:
    """What a header documents: its head, and groups (section, comment, declarations)."""

    def __init__(self, path):
        self.name = os.path.basename(path)
        self.letters = "" if not path.endswith(".t.h") else "sdczil" if self.name == "psb_vect.t.h" else "sdcz"
        self.head, self.groups = "", []
        section = comment = None
        self.text = read(path)
        for kind, text in items(re.sub(r"(?s)#ifdef __cplusplus.*?#(else|endif)", "", self.text)):
            if kind == "comment":
                title = re.match(r"/\* --- (.*?) -{3,}\s*(.*)", text, re.S)
                if title:
                    section, _, rest = plain("/*" + title.group(1) + "*/").partition(":")
                    section, comment = section.strip(". "), None
                    rest += plain("/*" + title.group(2)) if title.group(2).strip("*/ \n") else ""
                    self.groups.append((section, rest.strip().capitalize(), []))
                elif not self.head:
                    self.head = plain(text)
                elif "clang-format" not in text:
                    comment = plain(text)
                    self.groups.append((section, comment, []))
            elif kind == "blank":
                comment = None
            elif comment is not None and self.wanted(kind, text):
                self.groups[-1][2].append(text)
            elif kind == "code" and self.wanted(kind, text):
                self.groups.append((section, "", [text]))

    @staticmethod
    def wanted(kind, text):
        if kind == "macro":
            return bool(re.match(r"#define psb_\w+\(", text))
        return not re.match(r"static|.*psb_any_|.*PSB_ERR_LIST", text, re.S)


def expanded(code):
    """A declaration with T, R and psb_Tspmat."""
    code = re.sub(r"(?:struct )?X\((\w+)\)(?!\s*\()", r"psb_T\1", code)
    return re.sub(r"X\((\w+)\)", r"psb_T_\1", code)


def signature(code):
    code = re.sub(r"PSB_MUST_CHECK |PSB_PRINTF\(.*\)|\b(struct|enum) (?=psb_)", "", COMMENT.sub("", code))
    return re.sub(r"\s+", " ", code).strip(" ;")


class Reference:
    def __init__(self, headers):
        self.headers = {os.path.basename(h): Header(h) for h in headers}
        self.generic = {n for h in self.headers.values() for n in re.findall(r"#define (psb_\w+)\(", h.text)}
        self.roles = {"psb_err": ("enum", "psb_err", "")}  # of each name: directive, the name shown with it, declaration
        self.shown = set()
        for area in AREAS:
            for name in area[3].split():
                for _, _, codes in self.headers[name].groups:
                    for code in codes:
                        self.declare(code, self.headers[name].letters)

    def declare(self, code, letters):
        """Note the names of a declaration: of several by one name the call, else that with members."""
        directive, names = self.names(code, letters)
        for name in names:
            if self.roles.get(name, ("",))[0] != "function" and (name not in self.roles or "{" in code or directive == "function"):
                self.roles[name] = (directive, names[0], code)

    def names(self, code, letters):
        """The directive of a declaration, and the names that it declares: first the one that is shown."""
        if code.startswith("#define"):
            return "macro", [re.match(r"#define (\w+)", code).group(1)]
        bare = COMMENT.sub("", code)
        kind = re.match(r"(?:typedef )?(struct|union|enum)\s+" + NAME + r"\s*[{;]", bare)
        if kind:
            if kind.group(2):
                return kind.group(1), ["psb_T" + kind.group(2)] + ["psb_%s%s" % (t, kind.group(2)) for t in letters]
            return kind.group(1), [kind.group(3)]
        if re.match(r"enum\s*\{", bare):
            return "enumerators", []
        call = re.search(r"\b" + NAME + r"\(", re.sub(r"struct X\(\w+\)", "", bare))
        if bare.startswith("typedef"):
            opaque = re.match(r"typedef struct \w+ (\w+);", bare)
            return ("struct", [opaque.group(1)]) if opaque else ("type", re.findall(r"\b(psb_\w+)\)?\s*[(;]", bare)[:1])
        if bare.startswith("extern"):
            return "var", re.findall(r"\b(psb_\w+);", bare)
        if call.group(1):
            front = "psb_" + call.group(1)
            first = front if front in self.generic else "psb_T_" + call.group(1)
            return "function", [first] + ["psb_%s_%s" % (t, call.group(1)) for t in letters]
        return "function", [call.group(2)]

    def role(self, name):
        """A link to what the reference says of a name."""
        shown = name.replace("_T_", "_?_")
        key = name.replace("_?_", "_T_")
        for known in (key, key.replace("_T_", "_")):
            if known in self.roles:
                directive, target, _ = self.roles[known]
                return ":c:%s:`%s <%s>`" % (directive if directive != "function" else "func", shown, target)
        return ":c:enumerator:`%s`" % name if re.match(r"PSB_(OK|E[A-Z]+)$", name) else "``%s``" % shown

    def rst(self, text):
        """A comment as reStructuredText: paragraphs, and as they are those that are indented."""
        out = []
        for block in re.split(r"\n\s*\n", text):
            if re.search(r"(?m)^   ", block):
                out.append("::\n\n" + re.sub(r"(?m)^", "   ", block))
                continue
            parts = re.split(r"(`[^`]*`|\bpsb_(?:\?_)?\w*\w|\bPSB_\w+|``)", " ".join(block.split()))
            for i, part in enumerate(parts):
                if i % 2 == 0:
                    parts[i] = re.sub(r"([*`|\\_])", r"\\\1", part)
                elif part.startswith("`"):
                    parts[i] = "``%s``" % part.strip("`")
                else:
                    parts[i] = self.role(part)
                if i % 2 and parts[i + 1:] and re.match(r"[\w?(*\\]", parts[i + 1]):
                    parts[i] += "\\ "
                if i % 2 and i and re.search(r"[\w*/?-]$", parts[i - 1]):
                    parts[i - 1] += "\\ "
            out.append("".join(parts))
        return "\n\n".join(out)

    def directive(self, code, letters):
        kind, names = self.names(code, letters)
        if names and (self.roles[names[0]][2] != code or names[0] in self.shown):  # shown elsewhere
            names = []
        self.shown.update(names)
        code = re.sub(r"\A(typedef )?(struct|enum|union) psb_(\w+) \{(.*)\} psb_\3;", r"\2 psb_\3 {\4};", code, flags=re.S)
        source = "   .. code-block:: c\n\n%s\n" % re.sub("(?m)^", "      ", re.sub(r"X\((\w+)\)", r"psb_T\1", code).strip())
        if kind == "macro" and names:
            return ".. c:macro:: " + re.match(r"#define (\w+\([^)]*\))", code).group(1) + "\n"
        if kind in ("struct", "union", "enum") and names:
            lines = ["%s" % n for n in names]
            return ".. c:%s:: %s\n\n%s" % (kind, ("\n%*s" % (len(kind) + 8, "")).join(lines), source if "{" in code else "")
        if not names:
            return re.sub("(?m)^   ", "", source) if "{" in code else ""
        if kind == "type" and names:
            return ".. c:type:: %s\n\n%s" % (names[0], source)
        if kind == "var":
            return ".. c:var:: %s\n" % signature(code).replace("extern ", "")
        # Of the calls of each scalar the name alone is visible.
        lines = [re.sub(r"psb_T_\w+\(", lambda m: names[0] + "(", signature(expanded(code)), count=1)]
        lines += ["void %s()" % n for n in names[1:]]
        return ".. c:function:: %s\n" % "\n                ".join(lines)

    def header(self, name):
        h = self.headers[name]
        head = re.sub(r"^\S+ -- ([\w/]+: )?", "", h.head)
        out = [name, "-" * len(name), "", self.rst(head[:1].upper() + head[1:]), ""]
        section = None
        for title, comment, codes in h.groups:
            if title and "inside" in title:
                continue
            made = [self.directive(code, h.letters) for code in codes]
            if codes and not any(made):
                continue
            if title != section:
                section = title
                out += [title[:1].upper() + title[1:], "~" * len(title), ""]
            # One comment for several declarations stands below the last of them.
            out += ["\n".join(made), "", re.sub("(?m)^(?=.)", "   " if made and ".. c:" in made[-1] else "", self.rst(comment)), ""]
        return "\n".join(out)

    def errors(self):
        codes = re.findall(r'E\((PSB_\w+), "([^"]*)"\)', self.headers["psb_err.h"].text)
        out = [".. c:enum:: psb_err", "", "   What a call returns. :doc:`What to do </docs/errors>`.", ""]
        for code, text in codes:
            out += [".. c:enumerator:: %s" % code, "", "   %s" % (text[:1].upper() + text[1:] + "."), ""]
        return "\n".join(out)


def page(text, reference):
    """A page, where a line that is a link to a table becomes the table, and names of calls are links."""
    parts = re.split(r"(?ms)(^```.*?^```$|^#.*?$)", text)
    parts[::2] = [linked(part, reference) for part in parts[::2]]
    return re.sub(r"(?m)^\[[^]]*\]\((tables/[\w-]+\.tsv)\)\n",
                  "```{csv-table}\n:file: \\1\n:delim: tab\n:quote: §\n:header-rows: 1\n:class: calls\n```\n", "".join(parts))


def linked(text, reference):
    def link(match):
        directive, target, _ = reference.roles.get(match.group(2), ("", "", ""))
        return "{c:%s}`%s <%s>`" % (directive.replace("function", "func"), match.group(1), target) if target else match.group()
    return re.sub(r"(?<!\[)`((psb_\w+)(\([^`<]*\))?)`", link, text)


def sources(srcdir):
    """All that Sphinx reads, as (path, contents)."""
    folders = ["base", "base/*", "ext", "rsb", "cuda", "cuda/device", "util", "linsolve"]
    reference = Reference([h for f in folders for h in sorted(glob.glob(os.path.join(srcdir, f, "psb_*.h")))])
    names = [os.path.relpath(p, srcdir) for pattern in PAGES for p in sorted(glob.glob(os.path.join(srcdir, pattern)))]
    names.remove("docs/calls.md") if "docs/calls.md" in names else None  # of a tarball; the reference has more
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
