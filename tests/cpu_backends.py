"""A backend of the CPU that tests put before the others, and that does what the reference does."""

from wax_runtime import registry
from wax_runtime.backend import Artefact
from wax_runtime.devices import CPU


class Preferred:
    """Tests override a stage."""

    name = "preferred"
    priority = 1000
    platforms = frozenset({"cpu"})
    compiler = f"{__name__}:Preferred"

    def __init__(self):
        self.reference = registry.get("reference")

    def devices(self, platform, emulated=True):
        return (CPU,) if platform == "cpu" else ()

    def accepts(self, device):
        return "snapshot"

    def put(self, array, device, buffer_type):
        return buffer_type.from_numpy(array)

    def compile(self, program, device, options):
        return Artefact(self.name, "snapshot", program.snapshot(), program.signature, "cpu")

    def load(self, artefact, device, buffer_type):
        return self.reference.load(artefact, device, buffer_type)


def put_first(monkeypatch, backend):
    """Makes a backend one of those that are registered, which compiles itself."""
    from wax import _compile

    half = _compile.compiler_of
    monkeypatch.setitem(registry._registered, backend.name, backend)
    monkeypatch.setattr(_compile, "compiler_of", lambda one: backend if one is backend else half(one))
