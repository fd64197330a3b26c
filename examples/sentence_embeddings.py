"""Finds the sentences that mean nearly the same, with all-MiniLM-L6-v2 compiled by wax.

    python examples/sentence_embeddings.py                  a few sentences that come with it
    python examples/sentence_embeddings.py sentences.txt    one sentence a line; - reads standard input
    python examples/sentence_embeddings.py --check          compares every embedding with PyTorch's
    python examples/sentence_embeddings.py --stages DIR     leaves the program's text at every stage

The model is in `minilm.py`. Sentences are sorted by length, cut into batches, and padded to the longest of
their batch; batch and length are dynamic, so that all batches run through one compiled program.
"""

import argparse
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NoReturn

try:
    import rich.console
    import rich.markup
    import rich.progress
    import rich.table
    import safetensors  # noqa: F401  (said here, not in the middle of the work)
    import tokenizers  # noqa: F401
except ImportError as error:
    sys.exit(f"this example needs the package {error.name}; install it with: pip install rich safetensors tokenizers")

import minilm
import numpy as np

#: Where the judge in PyTorch and wax must agree; embeddings have unit length.
TOLERANCE = 1e-5

BUILT_IN = Path(__file__).with_name("sentences.txt")

# The results go to standard output, everything else (progress, notices) to standard error.
notes = rich.console.Console(stderr=True, highlight=False)


def fail(message: str) -> NoReturn:
    """Ends with a message instead of a traceback."""
    notes.print(f"[red]error:[/] {rich.markup.escape(message)}", soft_wrap=True)
    sys.exit(1)


def read_sentences(source: str | None) -> list[str]:
    """One sentence a line, without empty lines and repetitions."""
    path = BUILT_IN if source is None else Path(source)
    try:
        text = sys.stdin.read() if source == "-" else path.read_text(encoding="utf-8")
    except OSError as error:
        fail(f"{path} cannot be read: {error.strerror}")
    except UnicodeDecodeError as error:
        where = "standard input" if source == "-" else path
        fail(f"{where} is not UTF-8 text (byte {error.start}); convert it, for instance with iconv")
    lines = (line.strip() for line in text.splitlines())
    return list(dict.fromkeys(line for line in lines if line))


def tokenize(sentences: Sequence[str], folder: Path, max_tokens: int) -> list[list[int]]:
    """Token ids of each sentence; says which were cut."""
    encodings = minilm.load_tokenizer(folder, max_tokens).encode_batch(list(sentences))
    cut = [number for number, encoding in enumerate(encodings) if encoding.overflowing]
    if cut:
        shown = ", ".join(str(number + 1) for number in cut[:5]) + (", …" if len(cut) > 5 else "")
        notes.print(
            f"[yellow]note:[/] {len(cut)} of {len(sentences)} sentences (number {shown}) are longer than "
            f"{max_tokens} tokens and are embedded by their beginning; --max-tokens goes up to {minilm.LENGTH.max}",
            soft_wrap=True,
        )
    return [encoding.ids for encoding in encodings]


def batches(tokens: Sequence[Sequence[int]], batch_size: int) -> Iterator[np.ndarray[Any, Any]]:
    """Numbers of the sentences of each batch: of like length, and batches of like size."""
    order = np.argsort([len(one) for one in tokens], kind="stable")
    yield from np.array_split(order, -(-len(tokens) // batch_size))


def embed_all(
    parameters: minilm.Parameters, tokens: Sequence[Sequence[int]], batch_size: int, embed: Any
) -> np.ndarray[Any, Any]:
    """The embeddings of all sentences, in their order."""
    result = np.empty((len(tokens), parameters.words.shape[1]), np.float32)
    with rich.progress.Progress(
        rich.progress.TextColumn("embedding"),
        rich.progress.BarColumn(),
        rich.progress.MofNCompleteColumn(),
        rich.progress.TextColumn("sentences"),
        rich.progress.TimeElapsedColumn(),
        console=notes,
        transient=True,
    ) as progress:
        task = progress.add_task("", total=len(tokens))
        for rows in batches(tokens, batch_size):
            ids, mask = minilm.pad([tokens[row] for row in rows])
            result[rows] = np.asarray(embed(parameters, ids, mask))
            progress.advance(task, len(rows))
    return result


def nearest_pairs(vectors: np.ndarray[Any, Any], count: int) -> list[tuple[float, int, int]]:
    """The `count` most alike pairs, best first: cosine and both numbers. A block of rows at a time."""
    best: list[tuple[float, int, int]] = []
    for start in range(0, len(vectors), 1024):
        similar = vectors[start : start + 1024] @ vectors.T
        rows = np.arange(start, start + len(similar))
        similar[np.arange(len(vectors)) <= rows[:, None]] = -np.inf
        kept = min(max(count, 1), similar.size)
        flat = np.argpartition(similar, similar.size - kept, axis=None)[similar.size - kept :]
        found = ((float(similar.flat[at]), *divmod(int(at), len(vectors))) for at in flat)
        best += [(cosine, start + row, column) for cosine, row, column in found if np.isfinite(cosine)]
        best = sorted(best, reverse=True)[:count]
    return best


def save_stages(folder: Path, parameters: minilm.Parameters, tokens: Sequence[Sequence[int]]) -> None:
    """Writes the program in the wax dialect, in linalg, and compiled."""
    folder.mkdir(parents=True, exist_ok=True)
    ids, mask = minilm.pad(tokens[:2])
    traced = minilm.embed.trace(parameters, ids, mask)
    traced.save(folder / "embed.wax.mlir")
    lowered = traced.lower()
    lowered.save(folder / "embed.linalg.mlir")
    lowered.compile().save(folder / "embed.vmfb")
    for path in sorted(folder.glob("embed.*")):
        notes.print(f"  {path} ({path.stat().st_size:,} bytes)", soft_wrap=True, markup=False)


def check(folder: Path, tokens: Sequence[Sequence[int]], batch_size: int, vectors: np.ndarray[Any, Any]) -> None:
    """Compares with PyTorch's run of the same weights; fails where they disagree."""
    try:
        import minilm_torch
    except ImportError as error:
        fail(f"--check needs the package {error.name}; install it with: pip install torch")
    judged = embed_all(minilm_torch.load(folder), tokens, batch_size, minilm_torch.numpy_embed)
    difference = float(np.max(np.abs(judged - vectors)))
    verdict = "agree" if difference <= TOLERANCE else "disagree"
    print(f"wax and PyTorch {verdict}: greatest difference {difference:.1e}, tolerance {TOLERANCE:.0e}")
    if difference > TOLERANCE:
        sys.exit(1)


def parse_arguments(arguments: Sequence[str] | None) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description="Finds the sentences that mean nearly the same.")
    parser.add_argument("source", nargs="?", help="a text file, one sentence a line; - reads standard input")
    parser.add_argument("--pairs", type=int, default=8, metavar="N", help="how many pairs to print (8)")
    parser.add_argument("--batch-size", type=int, default=32, metavar="N", help="sentences at a time (32)")
    parser.add_argument("--max-tokens", type=int, default=256, metavar="N", help="longer sentences are cut (256)")
    parser.add_argument("--check", action="store_true", help="compare with PyTorch's run of the same weights")
    parser.add_argument("--stages", type=Path, metavar="DIR", help="leave the program's text at every stage there")
    options = parser.parse_args(arguments)
    if options.pairs < 0:
        parser.error("--pairs must not be negative")
    if options.batch_size < 1:
        parser.error("--batch-size must be at least 1")
    if not 3 <= options.max_tokens <= minilm.LENGTH.max:
        parser.error(f"--max-tokens must be from 3 to {minilm.LENGTH.max}")
    return options


def main(arguments: Sequence[str] | None = None) -> None:
    """Runs the command line."""
    options = parse_arguments(arguments)
    try:
        folder = minilm.model_folder()
    except minilm.MissingModel as error:
        fail(str(error))
    sentences = read_sentences(options.source)
    if len(sentences) < 2:
        fail(f"it takes two different sentences to compare, the input has {len(sentences)}")
    tokens = tokenize(sentences, folder, options.max_tokens)
    parameters = minilm.load(folder)

    start = time.perf_counter()
    vectors = embed_all(parameters, tokens, options.batch_size, minilm.embed)
    seconds = time.perf_counter() - start
    count = sum(map(len, tokens))
    notes.print(f"embedded {len(sentences)} sentences, {count} tokens, in {seconds:.2f} s, compilation included")

    table = rich.table.Table("cosine", "sentences", box=None, pad_edge=False)
    for cosine, first, second in nearest_pairs(vectors, options.pairs):
        table.add_row(f"{cosine:.3f}", f"{sentences[first]}\n{sentences[second]}")
    rich.console.Console(highlight=False, markup=False).print(table)
    if options.stages:
        save_stages(options.stages, parameters, tokens)
    if options.check:
        check(folder, tokens, options.batch_size, vectors)


if __name__ == "__main__":
    main()
