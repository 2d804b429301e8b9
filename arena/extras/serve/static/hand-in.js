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
  const open = () => { if (section.open && !editor) editor = window.makeEditor(code); };
  section.addEventListener("toggle", open);
  open();
}
