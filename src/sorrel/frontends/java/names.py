"""Which class a simple name means: one that is given, one of Java's own, or one of which nobody says anything.

Decided by declarations: a class or type variable of the files comes first, then what they import, then the packages
that every file sees. Comparators that were cut out of their files often lack imports, so that the well-known names of
java.util are seen, too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from sorrel.frontends.java.tree import Node
from sorrel.model.values import dataclass

JAVA = ("java.", "javax.", "jdk.")
"""How the names of the packages begin that come with Java."""
_LANG = frozenset(
    re.findall(
        r"\w+",
        """
        Appendable AutoCloseable Boolean Byte CharSequence Character Class ClassLoader ClassValue Cloneable
        Comparable Double Enum Error Exception Float Integer Iterable Long Math Module Number Object Package Process
        ProcessBuilder ProcessHandle Readable Record Runnable Runtime RuntimeException Short StackTraceElement
        StackWalker StrictMath String StringBuffer StringBuilder System Thread ThreadGroup ThreadLocal Throwable
        Void
        """,
    )
)
_UTIL = frozenset(
    re.findall(
        r"\w+",
        """
        AbstractCollection AbstractList AbstractMap AbstractSet ArrayDeque ArrayList Arrays BitSet Calendar
        Collection Collections Comparator Currency Date Deque EnumMap EnumSet Enumeration GregorianCalendar HashMap
        HashSet Hashtable IdentityHashMap Iterator LinkedHashMap LinkedHashSet LinkedList List ListIterator Locale
        Map NavigableMap NavigableSet Objects Optional OptionalDouble OptionalInt OptionalLong PriorityQueue
        Properties Queue Random Scanner Set SortedMap SortedSet Stack StringJoiner StringTokenizer TimeZone TreeMap
        TreeSet UUID Vector WeakHashMap
        """,
    )
)
_IMPORT = re.compile(r"import\s+(?P<static>static\s+)?(?P<name>[\w.\s]+?)(?P<all>\s*\.\s*\*)?\s*;")


@dataclass(frozen=True, slots=True)
class Names:
    """`given` are the classes of the files and their type variables, `imported` other classes by their simple names,
    `members` the classes of members that are imported by name; of `packages` and `owners` everything is.
    """

    given: frozenset[str]
    variables: frozenset[str]
    imported: Mapping[str, str]
    packages: tuple[str, ...]
    members: Mapping[str, str]
    owners: tuple[str, ...]

    def of_java(self, name: str) -> str:
        """The whole name of a class of Java's own; empty if the name means another class."""
        if name in self.given or not name:
            return ""
        if "." in name:
            return name if name.startswith(JAVA) else ""
        if name in self.imported:
            found = self.imported[name]
            return found if found.startswith(JAVA) else ""
        if name in _LANG:
            return f"java.lang.{name}"
        if name in _UTIL:
            return f"java.util.{name}"
        package = next((each for each in self.packages if f"{each}.".startswith(JAVA)), "")
        return f"{package}.{name}" if package else ""

    def member_of(self, name: str) -> Iterator[str]:
        """The classes that a method may be of which is called by its name alone, and was imported."""
        if name in self.members:
            yield self.members[name]
        else:
            yield from self.owners


def names(roots: Sequence[Node], declared: Sequence[str]) -> Names:
    """What the files say of names; a type variable hides a class of the same name."""
    variables: set[str] = set()
    imported: dict[str, str] = {}
    members: dict[str, str] = {}
    packages: list[str] = []
    owners: list[str] = []
    for root in roots:
        variables |= set(_type_variables(root))
        for node in root.of_kind("import_declaration"):
            found = _IMPORT.fullmatch(node.text)
            if found is None:
                continue
            name = re.sub(r"\s", "", found["name"])
            outer, _, last = name.rpartition(".")
            match bool(found["static"]), bool(found["all"]):
                case True, True:
                    owners.append(name)
                case True, False:
                    members[last] = outer
                case False, True:
                    packages.append(name)
                case _:
                    imported[last] = name
    return Names(
        frozenset({*declared, *variables}), frozenset(variables), imported, tuple(packages), members, tuple(owners)
    )


def _type_variables(root: Node) -> Iterator[str]:
    stack = [root]
    while stack:
        node = stack.pop()
        if node.kind == "type_parameter":
            yield from (each.text for each in node.of_kind("type_identifier")[:1])
        stack += node.children
