"""Putting a mutant into a process in which everything is loaded: the code of its functions takes the place of the old code.

So a mutant costs a fork, and neither its importers nor the tests are loaded again. Functions and methods keep their identity;
whatever else differs (a constant, a table, what is no function any more) is bound anew wherever the old one was bound.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import cached_property
from types import CodeType, FunctionType, GenericAlias, ModuleType, UnionType
from typing import Any

_OF_CLASSES = {"__annotations__", "__dict__", "__doc__", "__module__", "__weakref__", "__dataclass_fields__", "__slots__"}
_OF_MODULES = {"__annotations__", "__builtins__", "__doc__", "__loader__", "__spec__", "annotations"}


class Transplant:
    """A mutant of a loaded module, ready to be applied. `differs` is whether it compiles to anything else."""

    def __init__(self, module: ModuleType, source: str) -> None:
        self._module = module
        path = module.__file__
        assert path is not None
        self._new = ModuleType(module.__name__)
        self._new.__file__ = path
        exec(compile(source, path, "exec"), vars(self._new))  # noqa: S102  the source is this project's own
        self._olds = {id(new): old for new, old in self._pairs()}

    def apply(self) -> bool:
        """Replace what differs; False if nothing does."""
        changed = False
        for name, new in vars(self._new).items():
            if name not in _OF_MODULES:
                changed |= self._of_module(name, new)
        return changed

    def _pairs(self) -> Iterator[tuple[Any, Any]]:
        for name, new in vars(self._new).items():
            old = vars(self._module).get(name)
            if isinstance(new, FunctionType | type) and type(new) is type(old) and new.__module__ == self._module.__name__:
                yield new, old

    def _of_module(self, name: str, new: Any) -> bool:
        old = vars(self._module)[name]
        if new is old or isinstance(new, UnionType | GenericAlias):
            return False
        if id(new) in self._olds:
            if isinstance(new, type):
                return self._of_class(old, new)
            return self._swapped(old, new)
        if hasattr(new, "__wrapped__") and type(new) is type(old):
            changed = self._swapped(old.__wrapped__, new.__wrapped__)
            if changed and hasattr(old, "cache_clear"):
                old.cache_clear()
            return changed
        new = self._translated(new)
        if new == old and type(new) is type(old):
            return False
        if isinstance(old, dict):
            old.clear()
            old.update(new)
            return True
        for module in list(sys.modules.values()):
            if module.__name__.startswith(("wellposed.", "tests.")) and vars(module).get(name) is old:
                setattr(module, name, new)
        return True

    def _translated(self, value: Any) -> Any:
        """A value with the old functions and classes in it."""
        if id(value) in self._olds:
            return self._olds[id(value)]
        if type(value) in (tuple, list, set, frozenset):
            return type(value)(map(self._translated, value))
        if isinstance(value, dict):
            return {self._translated(key): self._translated(one) for key, one in value.items()}
        if isinstance(value, tuple) and id(type(value)) in self._olds:
            return self._olds[id(type(value))](*map(self._translated, value))
        return value

    def _of_class(self, old: type, new: type) -> bool:
        changed = False
        for name in {**vars(old), **vars(new)}:
            if name in _OF_CLASSES:
                continue
            one, other = vars(old).get(name), vars(new).get(name)
            if one is other:
                continue
            if type(one) is not type(other):
                changed = True
                if name in vars(new):
                    setattr(old, name, other)
                else:
                    delattr(old, name)
                continue
            inner, inner_other = _function(one), _function(other)
            if inner is not None and inner_other is not None:
                if not self._swapped(inner, inner_other):
                    continue
                changed = True
            elif isinstance(one, int | str | tuple | frozenset) and one != other:
                setattr(old, name, other)
                changed = True
        return changed

    def _swapped(self, old: FunctionType, new: FunctionType) -> bool:
        defaults = self._translated(new.__defaults__ or ()), self._translated(new.__kwdefaults__ or {})
        same = (old.__defaults__ or (), old.__kwdefaults__ or {}) == defaults
        if same and _same(old.__code__, new.__code__):
            return False
        old.__code__ = new.__code__
        old.__defaults__, old.__kwdefaults__ = defaults[0] or None, defaults[1] or None
        return True


def _function(value: Any) -> FunctionType | None:
    """The function inside a member of a class."""
    if isinstance(value, FunctionType):
        return value
    if isinstance(value, property):
        return _function(value.fget)
    if isinstance(value, cached_property):
        return _function(value.func)
    return _function(value.__func__) if isinstance(value, staticmethod | classmethod) else None


def _same(one: CodeType, other: CodeType) -> bool:
    """Whether two codes do the same, wherever they stand."""
    parts = ("co_code", "co_names", "co_varnames", "co_freevars", "co_cellvars", "co_flags", "co_argcount")
    if any(getattr(one, part) != getattr(other, part) for part in parts) or len(one.co_consts) != len(other.co_consts):
        return False
    for first, second in zip(one.co_consts, other.co_consts, strict=True):
        if isinstance(first, CodeType) and isinstance(second, CodeType):
            if not _same(first, second):
                return False
        elif type(first) is not type(second) or first != second:
            return False
    return True
