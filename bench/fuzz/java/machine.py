"""Many Java methods on a real machine: compiled together once, called with many arguments."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from bench.fuzz.java.methods import FIELDS, SHARED, Written
from bench.fuzz.java.values import words
from sorrel.replay.java import run_java

SECONDS = 300.0
_SETTERS = "\n".join(f"      p.{name} = ({type}) read({type}.class);" for name, type in FIELDS.items())
DRIVER = f"""\
import java.io.*;
import java.lang.reflect.*;
import java.util.*;

public class Driver {{
  static StringTokenizer words;

  static Object read(Class<?> type) {{
    String word = words.nextToken();
    if (type == int.class) return Integer.parseInt(word);
    if (type == long.class) return Long.parseLong(word);
    if (type == short.class) return Short.parseShort(word);
    if (type == byte.class) return Byte.parseByte(word);
    if (type == char.class) return (char) Integer.parseInt(word);
    if (type == boolean.class) return word.equals("t");
    if (word.equals("n")) return null;
    if (type == Integer.class) return Integer.valueOf(word);
    if (type == Color.class) return Color.values()[Integer.parseInt(word)];
    if (type == String.class) {{
      StringBuilder text = new StringBuilder();
      for (int at = 1; at < word.length(); at += 4)
        text.append((char) Integer.parseInt(word.substring(at, at + 4), 16));
      return text.toString();
    }}
    if (type == int[].class) {{
      if (word.length() == 1) return new int[0];
      return Arrays.stream(word.substring(1).split(",")).mapToInt(Integer::parseInt).toArray();
    }}
    P p = new P();
{_SETTERS}
    return p;
  }}

  public static void main(String[] unused) throws Exception {{
    Map<String, Method> methods = new HashMap<>();
    PrintStream out = new PrintStream(new BufferedOutputStream(System.out, 1 << 16));
    BufferedReader lines = new BufferedReader(new InputStreamReader(System.in));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {{
      words = new StringTokenizer(line);
      String name = words.nextToken();
      Method method = methods.get(name);
      if (method == null) {{
        for (Method each : Class.forName(name).getDeclaredMethods()) if (each.getName().equals("f")) method = each;
        method.setAccessible(true);
        methods.put(name, method);
      }}
      Class<?>[] types = method.getParameterTypes();
      Object[] arguments = new Object[types.length];
      for (int at = 0; at < types.length; at++) arguments[at] = read(types[at]);
      try {{
        Object result = method.invoke(null, arguments);
        out.println(result instanceof Character ? String.valueOf((int) (Character) result) : String.valueOf(result));
      }} catch (InvocationTargetException problem) {{
        out.println("! " + problem.getCause().getClass().getSimpleName());
      }}
    }}
    out.flush();
  }}
}}
"""


def call_all(methods: Sequence[Written], calls: Sequence[tuple[Written, Sequence[Any]]]) -> list[str]:
    """What each call returns, or `!` and an exception; what is no Java is an error."""
    files: Mapping[str, str] = {
        "Driver.java": DRIVER,
        "Shared.java": SHARED,
        "Methods.java": "\n".join(each.text for each in methods),
    }
    given = "\n".join(
        " ".join([each.name, *(w for v, t in zip(values, each.parameters, strict=True) for w in words(v, t))])
        for each, values in calls
    )
    ran = run_java(files, "Driver", SECONDS, given + "\n")
    if not ran.compiled or ran.code != 0:
        raise RuntimeError(f"the machine does not run the methods:\n{ran.errors[:4000]}")
    found = ran.output.splitlines()
    if len(found) != len(calls):
        raise RuntimeError(f"{len(calls)} calls gave {len(found)} results")
    return found
