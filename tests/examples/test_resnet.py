"""`examples/resnet.py`: its network against PyTorch's run of the same weights, and its command line."""

import numpy as np
import pytest
from examples_folder import EXAMPLES

pytest.importorskip("rich")
torch = pytest.importorskip("torch")
F = torch.nn.functional

import resnet

import wax

assert resnet.__file__ == str(EXAMPLES / "resnet.py")

BLOCKS, WIDTH, CLASSES = (2, 1), 6, 7


@pytest.fixture(scope="module")
def parameters():
    """The initial parameters, with norms that are none."""
    source = np.random.default_rng(3)

    def shaken(x):
        value = np.asarray(x)
        return wax.numpy.asarray(value if value.ndim > 1 else source.uniform(0.5, 1.5, value.shape).astype("f4"))

    made = resnet.initial(wax.random.key(1), BLOCKS, WIDTH, CLASSES)
    leaves, structure = wax.tree.flatten(made)
    return wax.tree.unflatten(structure, [shaken(leaf) for leaf in leaves])


@pytest.fixture(scope="module")
def images():
    return np.random.default_rng(4).standard_normal((3, 33, 32, 3)).astype("f4")


class Judge:
    """The network in PyTorch's functions and double precision; training moves `statistics`, in the norms' order."""

    def __init__(self, training):
        self.training, self.statistics = training, []

    def unit(self, x, p, stride=1):
        weight = torch.from_numpy(np.asarray(p.weight).astype("f8")).permute(3, 2, 0, 1)
        scale, shift, mean, variance = (torch.from_numpy(np.asarray(one).astype("f8")) for one in p.norm)
        y = F.conv2d(x, weight, stride=stride, padding=weight.shape[-1] // 2)
        self.statistics += [mean, variance]  # which PyTorch changes
        return F.batch_norm(y, mean, variance, scale, shift, training=self.training)

    def logits(self, p, images):
        x = torch.from_numpy(images.astype("f8")).permute(0, 3, 1, 2)
        x = F.max_pool2d(F.relu(self.unit(x, p.stem, 2)), 3, 2, 1)
        for number, stage in enumerate(p.stages):
            for place, block in enumerate(stage):
                stride = 2 if number and not place else 1
                y = self.unit(F.relu(self.unit(x, block.first, stride)), block.second)
                x = F.relu(y + (self.unit(x, block.shortcut[0], stride) if block.shortcut else x))
        weight, bias = (torch.from_numpy(np.asarray(one).astype("f8")) for one in p.head)
        return F.linear(x.mean((2, 3)), weight.T, bias)


def test_classes_agree_with_pytorch(parameters, images):
    chances = torch.softmax(Judge(False).logits(parameters, images), -1)
    best = torch.topk(chances, 5)
    classes, found = map(np.asarray, resnet.classify(parameters, images))
    np.testing.assert_allclose(found, best.values, rtol=1e-4, atol=1e-6)
    np.testing.assert_array_equal(classes, best.indices)


def test_training_agrees_with_pytorch_in_loss_and_statistics(parameters, images):
    judge = Judge(True)
    labels = np.array([1, 0, 6], "i4")
    loss = F.cross_entropy(judge.logits(parameters, images), torch.tensor([1, 0, 6]), label_smoothing=0.1)
    actual, moved = resnet.training_forward(parameters, images, labels)
    np.testing.assert_allclose(float(actual), loss.item(), rtol=1e-5)
    units = [moved.stem]
    for stage in moved.stages:
        for block in stage:
            units += [block.first, block.second, *block.shortcut]
    found = [np.asarray(one) for unit in units for one in (unit.norm.mean, unit.norm.variance)]
    assert len(found) == len(judge.statistics)
    for one, expected in zip(found, judge.statistics, strict=True):
        np.testing.assert_allclose(one, expected, rtol=1e-4, atol=1e-5)


def test_one_program_serves_all_batches(parameters, images):
    together = np.asarray(resnet.classify(parameters, images)[1])
    compiled = len(resnet.classify._compiled)
    np.testing.assert_allclose(
        np.asarray(resnet.classify(parameters, images[:2])[1]), together[:2], rtol=1e-5, atol=1e-6
    )
    assert len(resnet.classify._compiled) == compiled


def test_the_program_prints_times_classes_and_a_loss(capsys):
    resnet.main(
        ["--batch", "2", "--size", "32", "--width", "4", "--blocks", "1", "2", "--classes", "9", "--rounds", "1"]
    )
    out = capsys.readouterr().out
    assert "images (2, 32, 32, 3), 3,213 parameters, 3 blocks" in out
    assert "images/s" in out
    assert out.count("%") == 10
    assert "image 1: classes" in out
    assert "loss 2." in out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--size", "31"], "--size must be at least 32"),
        (["--batch", "0"], "--batch must be at least 1"),
        (["--blocks", "2", "0"], "--blocks must each be at least 1"),
    ],
)
def test_what_cannot_work_ends_with_a_message(arguments, message, capsys):
    with pytest.raises(SystemExit):
        resnet.main(arguments)
    assert message in capsys.readouterr().err
