// The theme that the reader has chosen, set before the page is drawn. Without a choice the system's.
"use strict";

document.documentElement.classList.add("scripted");

// What this browser remembers. Some browsers forbid it, above all for files.
const memory = {
  get(name) {
    try { return localStorage.getItem(`arena-${name}`) ?? ""; } catch { return ""; }
  },
  set(name, value) {
    try { localStorage.setItem(`arena-${name}`, value); } catch { /* then it is forgotten */ }
  },
};

function setTheme(theme) {
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
  else delete document.documentElement.dataset.theme;
}

setTheme(memory.get("theme"));

// The colours of bots side by side: each its own or, if that is taken, the next one that is free.
function apart(colors) {
  const taken = [];
  for (let color of colors) {
    while (taken.includes(color) && taken.length < 12) color = 1 + (color % 12);
    taken.push(color);
  }
  return taken;
}

// `?embed` shows the tables only, `?present` in large type.
for (const view of ["embed", "present"]) {
  if (new URLSearchParams(location.search).has(view)) document.documentElement.dataset.view = view;
}
