// The filters of the list of replays: by bots, variant and result. The address keeps them.
"use strict";

const filters = document.getElementById("filters");
const selects = [...filters.querySelectorAll("select")];
const rows = [...document.querySelectorAll("table.games tbody tr")];

// Whether a row has the result: of the chosen bot, or of any bot if none is chosen.
function fits(row, chosen) {
  const seats = [...row.querySelectorAll(".seats li")];
  const own = chosen.bot ? seats.filter((seat) => seat.dataset.bot === chosen.bot) : seats;
  return own.length > 0
    && (!chosen.other || seats.some((seat) => seat.dataset.bot === chosen.other))
    && (!chosen.variant || row.dataset.variant === chosen.variant)
    && (!chosen.result || own.some((seat) => seat.dataset.result.split(" ").includes(chosen.result)));
}

function apply() {
  const chosen = Object.fromEntries(selects.map((select) => [select.name, select.value]));
  let shown = 0;
  for (const row of rows) {
    row.hidden = !fits(row, chosen);
    if (!row.hidden) shown += 1;
  }
  filters.querySelector("output").textContent = `${shown} of ${rows.length} shown`;
  return chosen;
}

function keep() {
  const chosen = Object.entries(apply()).filter(([, value]) => value);
  history.replaceState(null, "", `#${new URLSearchParams(chosen)}`);
}

function read() {
  const chosen = new URLSearchParams(location.hash.slice(1));
  for (const select of selects) {
    select.value = chosen.get(select.name) ?? "";
    if (select.selectedIndex < 0) select.value = "";
  }
  apply();
}

filters.addEventListener("change", keep);
addEventListener("hashchange", read);
read();
