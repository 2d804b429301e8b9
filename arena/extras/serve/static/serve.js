// What all pages of the server share: the choice of the theme, and forms that outlast a lost network.
"use strict";

const theme = document.getElementById("theme");
if (theme) {
  theme.value = memory.get("theme");
  theme.addEventListener("change", () => {
    setTheme(theme.value);
    memory.set("theme", theme.value);
  });
}

const offline = document.getElementById("offline");
const RETRY_MS = 3000;

async function isReached() {
  try {
    const answer = await fetch(`${document.body.dataset.root}static/icon.svg`, { method: "HEAD", cache: "no-store" });
    return answer.ok;
  } catch {
    return false;
  }
}

function say(text) {
  if (!offline) return;
  offline.textContent = text;
  offline.hidden = !text;
}

// A form with a file or code is sent once the server is reached, so that what was typed is not lost.
document.addEventListener("submit", async (event) => {
  const form = event.target;
  if (event.defaultPrevented || form.dataset.sent) return;
  if (form.enctype !== "multipart/form-data" && navigator.onLine) return;
  event.preventDefault();
  while (!(await isReached())) {
    say("You are offline: this page is kept, and sent when the server is reached. Trying again ...");
    await new Promise((resolve) => { setTimeout(resolve, RETRY_MS); });
  }
  say("");
  form.dataset.sent = "yes";
  form.requestSubmit(event.submitter);
  delete form.dataset.sent;
});

window.addEventListener("offline", () => say("You are offline. Trying again ..."));
window.addEventListener("online", () => say(""));
