// The page of a submission shows the steps of its check as they are done.
"use strict";

const check = document.getElementById("check");
const LOOK_MS = 1000;

async function refresh() {
  try {
    const answer = await fetch(check.dataset.part);
    const part = await answer.text();
    if (answer.ok && part !== check.innerHTML) check.innerHTML = part;
  } catch {
    // the server is not reached: the next look may
  }
  if (check.querySelector("progress")) setTimeout(refresh, LOOK_MS);
}
setTimeout(refresh, LOOK_MS);
