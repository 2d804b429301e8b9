// Tables: a click on a heading sorts those marked `data-sortable`, and on a phone a tap unfolds a row of
// those marked `data-folds`. Long tables have pages and a field that finds names. Tabs of sections.
"use strict";

// The sort key of a cell: its `data-value`, otherwise its text; numbers as numbers.
function valueOf(row, column) {
  const cell = row.cells[column];
  const text = cell.dataset.value ?? cell.textContent.trim();
  const number = Number(text.replace(/[,%]/g, ""));
  return text === "" || Number.isNaN(number) ? text : number;
}

function compare(one, other) {
  if (typeof one === "number" && typeof other === "number") return one - other;
  if (typeof one === typeof other) return one.localeCompare(other, "en", { numeric: true });
  return typeof one === "number" ? 1 : -1;
}

// Numbers start with the largest, words and ranks with the first.
function sort(table, heading, column) {
  const before = heading.getAttribute("aria-sort");
  const falls = heading.classList.contains("number") && column > 0;
  const direction = before ? (before === "ascending" ? "descending" : "ascending")
    : falls ? "descending" : "ascending";
  for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
  heading.setAttribute("aria-sort", direction);
  const sign = direction === "ascending" ? 1 : -1;
  const body = table.tBodies[0];
  for (const more of body.querySelectorAll("tr.more")) more.remove();
  for (const fold of body.querySelectorAll(".fold")) fold.ariaExpanded = "false";
  const rows = [...body.rows].map((row) => [valueOf(row, column), row]);
  rows.sort(([one], [other]) => sign * compare(one, other));
  body.append(...rows.map(([, row]) => row));
  table.dispatchEvent(new Event("sorted"));
}

function makeSortable() {
  for (const table of document.querySelectorAll("table[data-sortable]:not([data-sorts])")) {
    table.dataset.sorts = "";
    [...table.tHead.rows[0].cells].forEach((heading, column) => {
      if ("unsorted" in heading.dataset) return;
      const button = document.createElement("button");
      button.type = "button";
      button.append(...heading.childNodes);
      button.addEventListener("click", () => sort(table, heading, column));
      heading.append(button);
    });
  }
}

// A button in each visible row that shows the cells which a phone hides.
function makeFoldable(table) {
  if (!("folds" in table.dataset)) return;
  for (const row of table.tBodies[0].rows) {
    if (row.hidden || row.classList.contains("more") || row.querySelector(".fold")) continue;
    const fold = document.createElement("button");
    fold.type = "button";
    fold.className = "fold";
    fold.ariaExpanded = "false";
    fold.ariaLabel = `More about ${row.querySelector("th").textContent.trim()}`;
    fold.addEventListener("click", () => unfold(table, row, fold));
    const shown = [...row.cells].filter((cell) => !cell.classList.contains("rest"));
    shown.at(-1).append(fold);
  }
}

function unfold(table, row, fold) {
  const isOpen = fold.ariaExpanded === "true";
  fold.ariaExpanded = String(!isOpen);
  if (isOpen) {
    row.nextElementSibling.remove();
    return;
  }
  const list = document.createElement("dl");
  [...row.cells].forEach((cell, column) => {
    if (!cell.classList.contains("rest")) return;
    const term = document.createElement("dt");
    term.textContent = table.tHead.rows[0].cells[column].textContent.trim();
    const description = document.createElement("dd");
    description.append(...[...cell.childNodes].map((node) => node.cloneNode(true)));
    list.append(term, description);
  });
  const more = document.createElement("tr");
  more.className = "more";
  const cell = more.insertCell();
  cell.colSpan = row.cells.length;
  cell.append(list);
  row.after(more);
}

// -- long tables: the first rows, a field that finds a name, and a button for more rows --

const PAGE = 50; // style.css hides the other rows until this script has run

function makePaged() {
  for (const table of document.querySelectorAll("table[data-sortable]:not([data-paged])")) {
    table.dataset.paged = "";
    if (table.tBodies[0].rows.length <= PAGE) continue;
    let shown = PAGE;
    const find = document.createElement("input");
    find.type = "search";
    find.className = "find";
    find.placeholder = "Find a name";
    find.ariaLabel = `Find a name in ${table.caption?.textContent.trim() || "the table"}`;
    const more = document.createElement("button");
    more.type = "button";
    more.className = "quiet";
    const update = () => {
      const wanted = find.value.trim().toLowerCase();
      const rows = [...table.tBodies[0].rows].filter((row) => !row.classList.contains("more"));
      const fits = rows.filter((row) => row.textContent.toLowerCase().includes(wanted));
      for (const row of rows) row.hidden = true;
      for (const row of fits.slice(0, shown)) row.hidden = false;
      more.hidden = fits.length <= shown;
      more.textContent = `Show ${Math.min(PAGE, fits.length - shown)} more of ${fits.length}`;
      makeFoldable(table);
    };
    find.addEventListener("input", update);
    more.addEventListener("click", () => { shown += PAGE; update(); });
    table.addEventListener("sorted", update);
    const place = table.closest(".scroll") ?? table;
    place.before(find);
    place.after(more);
    update();
  }
}

// -- tabs --

function show(tabbed, id) {
  const buttons = [...tabbed.querySelectorAll(".tabs button")];
  for (const button of buttons) {
    const isShown = button.dataset.shows === id;
    button.ariaSelected = String(isShown);
    button.tabIndex = isShown ? 0 : -1;
    document.getElementById(button.dataset.shows).classList.toggle("shown", isShown);
  }
  tabbed.dataset.ready = "";
  document.dispatchEvent(new Event("shown"));
}

function makeTabs() {
  for (const tabbed of document.querySelectorAll(".tabbed")) {
    const list = tabbed.querySelector(".tabs");
    if (!list) continue;
    list.role = "tablist";
    list.ariaLabel = tabbed.dataset.tabs;
    const buttons = [...list.querySelectorAll("button")];
    for (const [place, button] of buttons.entries()) {
      const panel = document.getElementById(button.dataset.shows);
      panel.role = "tabpanel";
      button.role = "tab";
      button.setAttribute("aria-controls", panel.id);
      button.addEventListener("click", () => {
        show(tabbed, panel.id);
        history.replaceState(null, "", `#${panel.id}`);
      });
      button.addEventListener("keydown", (event) => {
        const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
        if (!step) return;
        const next = buttons[(place + step + buttons.length) % buttons.length];
        next.focus();
        next.click();
      });
    }
    show(tabbed, buttons[0].dataset.shows);
  }
  follow();
}

// The address names the section of a tab, or something in it.
function follow() {
  const place = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  const panel = place?.closest("[role=tabpanel]");
  if (!panel) return;
  show(panel.closest(".tabbed"), panel.id);
  place.scrollIntoView();
}

function prepare() {
  makeSortable();
  makePaged();
  document.querySelectorAll("table[data-folds]").forEach(makeFoldable);
}

prepare();
makeTabs();
addEventListener("hashchange", follow);
document.addEventListener("board", prepare); // a live page has new tables
