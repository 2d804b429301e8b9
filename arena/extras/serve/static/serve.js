// What all pages of the server share: the choice of the theme, and forms that are sent once.
"use strict";

const theme = document.getElementById("theme");
if (theme) {
  theme.value = memory.get("theme");
  theme.addEventListener("change", () => {
    setTheme(theme.value);
    memory.set("theme", theme.value);
  });
}

const SENT_MS = 10000;

// A double click sends a form once.
document.addEventListener("submit", (event) => {
  const form = event.target;
  if (form.dataset.sent) event.preventDefault();
  form.dataset.sent = "yes";
  setTimeout(() => { delete form.dataset.sent; }, SENT_MS);
});
