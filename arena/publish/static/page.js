// The choice of the theme in the head of each page.
"use strict";

const theme = document.getElementById("theme");
theme.value = memory.get("theme");
theme.addEventListener("change", () => {
  setTheme(theme.value);
  memory.set("theme", theme.value);
});
