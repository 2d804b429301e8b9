// A student's page: a file may be dropped on its field, and code is written in an editor.
"use strict";

const upload = document.getElementById("upload");
if (upload) {
  const field = upload.querySelector("input[type=file]");
  const place = upload.querySelector(".drop");
  for (const name of ["dragenter", "dragover"]) {
    place.addEventListener(name, (event) => { event.preventDefault(); place.classList.add("over"); });
  }
  place.addEventListener("dragleave", () => place.classList.remove("over"));
  place.addEventListener("drop", (event) => {
    event.preventDefault();
    place.classList.remove("over");
    if (event.dataTransfer.files.length) field.files = event.dataTransfer.files;
  });
}

const code = document.getElementById("code");
if (code && window.makeEditor) {
  let editor = null;
  const section = document.getElementById("write");
  const open = () => {
    if (!section.open || editor) return;
    editor = window.makeEditor(code);
    editor.scrollDOM.tabIndex = 0; // long code is scrolled with keys, too
  };
  section.addEventListener("toggle", open);
  open();
}

if (code && code.dataset.draft) {
  // Neither Back nor a reload loses what was written: it is kept by the server.
  const state = document.getElementById("draft-state");
  const token = code.form.elements.csrf.value;
  let kept = code.value;
  const keep = (keepalive) => {
    const written = code.value;
    if (written === kept) return;
    const body = new FormData();
    body.append("code", written);
    fetch(code.dataset.draft, { method: "POST", body, keepalive, headers: { "X-CSRF-Token": token } })
      .then((answer) => {
        if (answer.ok) kept = written;
        state.textContent = answer.ok ? "The draft is kept." : "The draft could not be kept.";
      })
      .catch(() => { state.textContent = "The draft could not be kept: there is no connection."; });
  };
  setInterval(() => keep(false), 2000);
  addEventListener("pagehide", () => keep(code.value.length < 60000)); // browsers limit such requests to 64 KiB
}
