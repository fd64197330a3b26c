"""The compiler half of the iree backend: linalg text to `.vmfb`, in process. The loader half is `wax_runtime.iree`."""
