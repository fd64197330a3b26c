"""The loader half of the iree backend: runs `.vmfb` programs by `iree-base-runtime`. No compiler is imported here."""
