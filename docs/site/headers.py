"""headers.py -- read headers in this project's layout: comments, and the declarations below them.

A typed header declares X(name) once for all scalars: that is psb_T_name here, or psb_name where a macro of that name
chooses the scalar, and struct X(name) is psb_Tname."""
import os
import re

COMMENT = re.compile(r"/\*.*?\*/", re.S)
LETTERS = {"psb_vect.t.h": "sdczil"}  # of other typed headers: sdcz


def read(path):
    with open(path, encoding="utf-8") as f:
        return f.read()


def plain(comment):
    """The text of a comment, without its frame."""
    return re.sub(r"(?m)^ \* ?", "", comment.strip("/*")).strip()


def sentence(text):
    return text[:1].upper() + text[1:]


def items(text):
    """The parts of a header at its outermost level: (kind, text), where kind is comment, code, macro or blank."""
    text = COMMENT.sub(lambda c: c.group().replace("\n", "\0"), text)  # a comment is one line,
    text = re.sub(r"\\\n\s*", " ", text)                               # and so is a macro
    code, depth = "", 0
    for line in text.split("\n"):
        line = line.replace("\0", "\n")
        bare = COMMENT.sub("", line)
        if code or not re.match(r"#|/\*|\s*$|PSB_(BEGIN|END)_C|PSB_SHORT_NAMES", line):
            code += line + "\n"
            depth += bare.count("{") - bare.count("}")
            if depth == 0 and re.search(r"[;}]\s*$", bare):
                yield "code", code.rstrip()
                code = ""
        else:
            yield ("comment" if line.startswith("/*") else "macro" if line.startswith("#") else "blank"), line


class Declaration:
    """kind: the directive of Sphinx, or "" for constants without a name; names: first the one that is shown."""

    def __init__(self, code, letters, generic):
        self.code, bare = code, COMMENT.sub("", code)
        tag = re.match(r"(?:typedef )?(struct|union|enum)\s*(?:X\((\w+)\)|(\w*))\s*[{;]", bare)
        typed = re.match(r"[\w *]*?(?:struct X\(\w+\) \**)?X\((\w+)\)\(", bare)
        if code.startswith("#define"):
            self.kind, self.names = "macro", re.findall(r"#define (\w+)", code)
        elif tag:
            self.kind = tag.group(1) if tag.group(2) or tag.group(3) else ""
            self.names = ["psb_%s%s" % (t, tag.group(2)) for t in "T" + letters] if tag.group(2) else [tag.group(3)]
        elif bare.startswith("typedef struct"):
            self.kind, self.names = "struct", re.findall(r"(\w+);", bare)
        elif bare.startswith("typedef"):
            self.kind, self.names = "type", re.findall(r"\b(psb_\w+)\)?\s*[(;]", bare)[:1]
        elif bare.startswith("extern"):
            self.kind, self.names = "var", re.findall(r"\b(psb_\w+);", bare)
        elif typed:
            shown = "psb_" + typed.group(1)
            self.kind = "function"
            self.names = [shown if shown in generic else shown.replace("_", "_T_", 1)]
            self.names += ["psb_%s_%s" % (t, typed.group(1)) for t in letters]
        else:
            self.kind, self.names = "function", re.findall(r"\b(psb_\w+)\(", bare)[:1]

    def source(self):
        """The text, with psb_Tname for X(name)."""
        tagged = re.sub(r"\Atypedef (struct|enum) (\w+)( \{.*\}) \2;", r"\1 \2\3;", self.code, flags=re.S)
        return re.sub(r"X\((\w+)\)", r"psb_T\1", tagged)

    def signature(self):
        """The text in one line, as Sphinx reads it."""
        code = re.sub(r"(?:struct )?X\((\w+)\)(?!\()", r"psb_T\1", COMMENT.sub("", self.code))
        code = re.sub(r"X\(\w+\)\(", self.names[0] + "(", code)
        code = re.sub(r"PSB_MUST_CHECK |PSB_PRINTF\(.*\)|extern |\b(struct|enum) (?=psb_)", "", code)
        return re.sub(r"\s+", " ", code).strip(" ;")


class Header:
    """What a header documents: its head, and groups (section, comment, declarations)."""

    def __init__(self, path, generic):
        self.name = os.path.basename(path)
        letters = LETTERS.get(self.name, "sdcz") if path.endswith(".t.h") else ""
        self.head, self.groups = "", []
        section, below = "", False  # below: right below the comment of the last group
        for kind, text in items(re.sub(r"(?s)#ifdef __cplusplus.*?#(else|endif)", "", read(path))):
            title = re.match(r"/\* --- (.*?) -{3,}\s*(.*)", text, re.S)
            if kind == "blank":
                below = False
            elif title:
                section, _, rest = plain(title.group(1)).partition(":")
                section = section.strip(". ")
                self.groups.append((section, sentence(rest.strip() + plain(title.group(2))), []))
                below = False
            elif kind == "comment" and not self.head:
                self.head = plain(text)
            elif kind == "comment" and "clang-format" not in text:
                self.groups.append((section, plain(text), []))
                below = True
            elif self.documented(kind, text, below):
                if not below:
                    self.groups.append((section, "", []))
                self.groups[-1][2].append(Declaration(text, letters, generic))

    @staticmethod
    def documented(kind, text, below):
        if kind == "macro":
            return below and re.match(r"#define psb_\w+\(", text)
        return kind == "code" and not re.match(r"static|.*psb_any_|.*PSB_ERR_LIST", text, re.S)
