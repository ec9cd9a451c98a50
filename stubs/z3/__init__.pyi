# z3 ships no types. These stubs name what Sorrel uses of it, so that a term is a type and not Any.

from z3 import z3 as z3
from z3 import z3core as z3core
from z3 import z3types as z3types
from z3.z3 import *
from z3.z3consts import *
from z3.z3core import Z3_eval_smtlib2_string as Z3_eval_smtlib2_string
from z3.z3types import Z3Exception as Z3Exception
