// The live board: when the server has a new version, the part with the board is loaded again.
// Without this script the board does not change.
"use strict";

const live = document.getElementById("live");
const LOOK_MS = 3000;
let shownVersion = live.dataset.version;
let isLoading = false;
let isBehind = false;

function openDetails() {
  return [...live.querySelectorAll("details")].map((part) => part.open);
}

// The board is not replaced while a person uses it.
function isInUse() {
  const chosen = document.getSelection();
  return document.hidden
    || (live.contains(document.activeElement) && document.activeElement !== live)
    || (chosen && !chosen.isCollapsed && live.contains(chosen.anchorNode));
}

async function load() {
  if (isLoading || isInUse()) {
    isBehind = true;
    return;
  }
  isLoading = true;
  isBehind = false;
  try {
    const answer = await fetch(live.dataset.part, { headers: { Accept: "text/html" } });
    if (!answer.ok) return;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const open = openDetails();
    live.replaceChildren(...page.body.childNodes);
    live.querySelectorAll("details").forEach((part, at) => { part.open = open[at] ?? part.open; });
    document.dispatchEvent(new Event("board"));
    markOwn();
  } catch {
    isBehind = true;
  } finally {
    isLoading = false;
  }
}

// The row of the visitor's own bot is marked.
function markOwn() {
  const own = live.dataset.own;
  if (!own) return;
  for (const row of live.querySelectorAll(".leaderboard tbody tr")) {
    const link = row.querySelector("th a");
    row.classList.toggle("own", Boolean(link) && link.getAttribute("href") === own);
  }
}
markOwn();

async function look() {
  try {
    const answer = await fetch(live.dataset.newest);
    const version = await answer.text();
    if (answer.ok && version !== shownVersion) {
      shownVersion = version;
      load();
    }
  } catch {
    // the server is not reached: the next look may
  }
  setTimeout(look, LOOK_MS);
}
setTimeout(look, LOOK_MS);

for (const name of ["visibilitychange", "focusout"]) {
  document.addEventListener(name, () => { if (isBehind) setTimeout(load, 200); });
}
