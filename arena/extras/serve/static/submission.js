// The page of a submission shows the steps of its check as they are done.
"use strict";

const check = document.getElementById("check");

let asked = 0;

// Only the last answer that was asked for is shown: an earlier one may come after it.
async function refresh() {
  asked += 1;
  const own = asked;
  const answer = await fetch(check.dataset.part);
  const part = await answer.text();
  if (answer.ok && own === asked) check.innerHTML = part;
}

const events = new EventSource(check.dataset.events);
events.addEventListener("message", refresh);
events.addEventListener("end", () => {
  events.close();
  refresh();
});
