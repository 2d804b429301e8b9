// The page of a submission shows the steps of its check as they are done.
"use strict";

const check = document.getElementById("check");

async function refresh() {
  const answer = await fetch(check.dataset.part);
  if (answer.ok) check.innerHTML = await answer.text();
}

const events = new EventSource(check.dataset.events);
events.addEventListener("message", refresh);
events.addEventListener("end", () => {
  events.close();
  refresh();
});
