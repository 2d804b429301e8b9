"""What the page for researchers lets readers write works, and says what is so."""

import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import pytest

from arena import open_run
from engine import variants
from tests.arena.command import arena

PAGE = (Path(__file__).parents[4] / "docs" / "researchers.md").read_text(encoding="utf-8")
BLOCKS = re.findall(
    r"^<!-- example: (\w+) -->\n```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL
)
NEEDS = {
    "gymnasium": "gymnasium",
    "openspiel": "pyspiel",
    "opponents": "gymnasium",
    "pettingzoo": "pettingzoo",
    "self_play": "gymnasium",
    "vector": "gymnasium",
}
"""By name of a block: the module that it needs."""


@pytest.mark.parametrize(("name", "block"), BLOCKS, ids=[name for name, _ in BLOCKS])
def test_a_block_of_the_page_runs(
    name: str, block: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if name in NEEDS:
        pytest.importorskip(NEEDS[name], reason=f"need {NEEDS[name]}")
    monkeypatch.chdir(tmp_path)
    exec(compile(block, name, "exec"), {})


def test_the_page_has_the_sizes_of_the_encodings() -> None:
    assert len(BLOCKS) == PAGE.count("```python") >= 4
    titles = ("Bribery", "Brides & Bribes", "Pot de Vin")
    for game, title in zip(("bribery", "brides-and-bribes", "pot-de-vin"), titles, strict=True):
        sizes = [variant.encoding().size for variant in variants().values() if variant.game == game]
        (row,) = [line for line in PAGE.splitlines() if line.startswith(f"| {title} |")]
        assert row.endswith(f"| {min(sizes):,} to {max(sizes):,} |")


def actions_of(policy: str, *options: str) -> list[tuple[str, ...]]:
    """Make a bot of a policy, test it, and return what is played in games with it."""
    made = arena("new", "learner", "--from-policy", policy, *options)
    assert made.exit_code == 0, made.stderr
    test = [sys.executable, "-P", "learner/test_bot.py"]
    subprocess.run(test, check=True, capture_output=True)
    lineup = ["--bot", "learner", "--bot", "banker", "--variant", "bribery/2", "--seed", "1"]
    lineup += "--rounds 2 --sandbox none --workers 1 --name".split()
    ran = arena("run", *lineup, Path(policy).suffix[1:])
    assert ran.exit_code == 0, ran.stderr
    assert re.search(r"^ *\S+ +learner .* 0$", ran.stdout, re.MULTILINE), ran.stdout
    shutil.rmtree("learner")
    return [record.actions for record in open_run(Path(policy).suffix[1:]).games()]


@pytest.mark.slow
def test_a_policy_becomes_a_rated_bot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The policy is untrained: the way from a file to a leaderboard is what is tested."""
    monkeypatch.chdir(tmp_path)
    written: dict[str, Any] = {}
    exec(compile(dict(BLOCKS)["policy_bot"], "policy_bot", "exec"), written)
    played = actions_of("policy.npz")
    onnx = pytest.importorskip("onnx", reason="needs onnx and onnxruntime")
    pytest.importorskip("onnxruntime", reason="needs onnx and onnxruntime")
    from onnx import helper, numpy_helper

    layers, encoding = written["layers"], written["encoding"]
    arrays, nodes, last = {}, [], "vector"
    for number, (weight, bias) in enumerate(zip(layers.weights, layers.biases, strict=True)):
        if number:
            nodes.append(helper.make_node("Tanh", [last], [last := f"tanh_{number}"]))
        arrays |= {f"w{number}": weight, f"b{number}": bias}
        inputs = [last, f"w{number}", f"b{number}"]
        nodes.append(helper.make_node("Gemm", inputs, [last := f"out_{number}"], transB=1))
    kind = onnx.TensorProto.FLOAT
    graph = helper.make_graph(
        nodes,
        "policy",
        [helper.make_tensor_value_info("vector", kind, [1, encoding.size])],
        [helper.make_tensor_value_info(last, kind, [1, len(encoding.actions)])],
        [numpy_helper.from_array(array.astype("f4"), name) for name, array in arrays.items()],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
    about = {"variant": "bribery/2", "encoding": encoding.name, "history": "0"}
    helper.set_model_props(model, about)
    onnx.save(model, "policy.onnx")
    assert actions_of("policy.onnx", "--game", "bribery") == played
    Path(tempfile.gettempdir(), ".ses").unlink(missing_ok=True)  # ONNX Runtime leaves it
