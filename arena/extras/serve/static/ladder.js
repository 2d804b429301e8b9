// The live board: when the server sends an event, the part with the board is loaded again, and its
// rows move to their new places. Without this script the board does not change.
"use strict";

const live = document.getElementById("live");
const MOVE_MS = 600;
let shownVersion = live.dataset.version; // it may have changed before the first event
let isLoading = false;
let isBehind = false;

function placesOfRows() {
  const places = new Map();
  for (const row of live.querySelectorAll(".leaderboard tbody tr")) {
    places.set(keyOf(row), row.getBoundingClientRect().top);
  }
  return places;
}

// A bot has a row in several tables.
function keyOf(row) {
  const caption = row.closest("table").caption.textContent;
  return `${caption} ${row.querySelector("th").textContent}`;
}

function move(before) {
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  for (const row of live.querySelectorAll(".leaderboard tbody tr")) {
    const old = before.get(keyOf(row));
    const now = row.getBoundingClientRect().top;
    if (old === undefined || Math.abs(old - now) < 2) continue;
    row.animate(
      [{ transform: `translateY(${old - now}px)` }, { transform: "none" }],
      { duration: MOVE_MS, easing: "ease-in-out" },
    );
  }
}

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
    const before = placesOfRows();
    const open = openDetails();
    live.replaceChildren(...page.body.childNodes);
    live.querySelectorAll("details").forEach((part, at) => { part.open = open[at] ?? part.open; });
    document.dispatchEvent(new Event("board"));
    markOwn();
    move(before);
  } catch {
    isBehind = true; // the next event loads it again
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

const source = new EventSource(live.dataset.events);
source.addEventListener("message", (event) => {
  const version = JSON.parse(event.data);
  if (version !== shownVersion) load();
  shownVersion = version;
});
for (const name of ["visibilitychange", "focusout"]) {
  document.addEventListener(name, () => { if (isBehind) setTimeout(load, 200); });
}
