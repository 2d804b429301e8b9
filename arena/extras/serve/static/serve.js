// What all pages of the server share: the choice of the theme.
"use strict";

const theme = document.getElementById("theme");
theme.value = memory.get("theme");
theme.addEventListener("change", () => {
  setTheme(theme.value);
  memory.set("theme", theme.value);
});
