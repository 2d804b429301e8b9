"""The picture of a learning curve: how often the policy is placed before each bot."""

import csv
from pathlib import Path

import matplotlib
from matplotlib.figure import Figure


def draw_curve(file: Path, picture: Path) -> None:
    """Draw the learning curve in `file`, as the training writes it, as SVG."""
    with open(file, newline="") as lines:
        rows = list(csv.DictReader(lines))
    figure = Figure(figsize=(7, 3.6), layout="constrained")
    axes = figure.subplots()
    for bot in dict.fromkeys([row["bot"] for row in rows]):
        own = [row for row in rows if row["bot"] == bot]
        minutes = [float(row["processor_s"]) / 60 for row in own]
        shares = [100 * float(row["share"]) for row in own]
        axes.plot(minutes, shares, marker=".", label=bot)
    learned = [float(row["processor_s"]) / 60 for row in rows if row["stage"] == "imitation"]
    if learned:
        axes.axvline(max(learned), color="#999999", linestyle=":", linewidth=1)
        axes.text(max(learned), 2, " PPO from here on", color="#666666", fontsize=8)
    axes.axhline(50, color="#999999", linewidth=0.8)
    axes.set(
        xlabel="minutes of processor time",
        ylabel="placed before, %",
        title="/".join(file.stem.rsplit("-", 1)),
        ylim=(0, 100),
    )
    axes.legend(title="against", frameon=False, loc="center left", bbox_to_anchor=(1, 0.5))
    axes.spines[["top", "right"]].set_visible(False)
    # Neither the date nor random ids: the same curve gives the same file.
    with matplotlib.rc_context({"svg.hashsalt": "arena", "svg.fonttype": "none"}):
        figure.savefig(picture, metadata={"Date": None})
