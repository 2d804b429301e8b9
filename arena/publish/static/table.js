// Sorting of the tables marked `data-sortable` by a click on a heading.
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
  const rows = [...body.rows].map((row) => [valueOf(row, column), row]);
  rows.sort(([one], [other]) => sign * compare(one, other));
  body.append(...rows.map(([, row]) => row));
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

makeSortable();
document.addEventListener("board", makeSortable); // a live page has new tables
