// The controls in the head of each page: the theme, and the state of the run, which an open page
// watches when the reader wants that.
"use strict";

const WATCH_MS = 30000;

const theme = document.getElementById("theme");
theme.value = memory.get("theme");
theme.addEventListener("change", () => {
  setTheme(theme.value);
  memory.set("theme", theme.value);
});

const reload = document.getElementById("reload");
let shownState = null;
let timer = 0;

function describe(state) {
  const number = (value) => value.toLocaleString("en");
  const most = state.may_end_before ? "at most " : "";
  const said = state.over
    ? `Finished: ${number(state.played)} ${state.played === 1 ? "game" : "games"}.`
    : `Under way: ${number(state.played)} of ${most}${number(state.scheduled)} games.`;
  const time = document.createElement("time");
  time.dateTime = state.updated;
  time.textContent = new Date(state.updated)
    .toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "short" });
  document.getElementById("state").replaceChildren(`${said} Updated `, time);
}

// `static/state.js` calls it, at the start and whenever an open page asks.
function showState(state) {
  if (shownState && shownState.updated !== state.updated) {
    location.reload();
    return;
  }
  shownState = state;
  describe(state);
  reload.closest("label").hidden = state.over;
  watch();
}

function watch() {
  clearTimeout(timer);
  if (reload.checked && shownState && !shownState.over) timer = setTimeout(ask, WATCH_MS);
}

// A script, because pages of a local folder may not read other files.
function ask() {
  const script = document.createElement("script");
  script.src = `${document.getElementById("state-script").src.split("?")[0]}?${Date.now()}`;
  script.addEventListener("load", () => script.remove());
  script.addEventListener("error", () => { script.remove(); watch(); });
  document.head.append(script);
}

reload.checked = memory.get("reload") === "yes";
reload.addEventListener("change", () => {
  memory.set("reload", reload.checked ? "yes" : "no");
  if (reload.checked) ask();
  watch();
});
