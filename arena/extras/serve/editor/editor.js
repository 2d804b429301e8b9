// The editor of a student's page: CodeMirror with Python and the names of arena.bot.
//
// Built at development time into static/editor.js, with the licences in static/editor.LICENSE.txt:
//   npm ci && npm run build

import { autocompletion, completeFromList } from "@codemirror/autocomplete";
import { indentWithTab } from "@codemirror/commands";
import { python, pythonLanguage } from "@codemirror/lang-python";
import { syntaxTree } from "@codemirror/language";
import { linter, lintGutter } from "@codemirror/lint";
import { EditorState } from "@codemirror/state";
import { EditorView, keymap } from "@codemirror/view";
import { basicSetup } from "codemirror";

const NAMES = {
  Bot: "the class that your bot extends",
  act: "def act(self, view, legal): return one of legal",
  start: "called when a game begins",
  end: "called when a game is over",
  view: "what your seat may know now",
  legal: "the actions that you may choose from",
  rng: "self.rng: your own dice, from the seed of the game",
  table: "self.table: seat, seats, teams, game, variant",
  run: "run(MyBot): plays until the arena ends the program",
};

const completions = pythonLanguage.data.of({
  autocomplete: completeFromList(
    Object.entries(NAMES).map(([label, info]) => ({ label, info, type: "variable" })),
  ),
});

// Marks where Python cannot read the code, while it is written.
const syntax = linter((view) => {
  const found = [];
  syntaxTree(view.state).iterate({
    enter: ({ type, from, to }) => {
      if (type.isError && found.length < 20) {
        const end = Math.max(to, Math.min(from + 1, view.state.doc.length));
        found.push({ from, to: end, severity: "error", message: "Python cannot read this" });
      }
    },
  });
  return found;
});

// Replaces a text area by an editor that writes into it. The editor is in a shadow tree, whose
// styles need no exception of the Content-Security-Policy.
window.makeEditor = (area) => {
  const host = document.createElement("div");
  host.className = "editor";
  area.after(host);
  area.hidden = true;
  const root = host.attachShadow({ mode: "open" });
  return new EditorView({
    parent: root,
    root,
    state: EditorState.create({
      doc: area.value,
      extensions: [
        basicSetup,
        python(),
        completions,
        syntax,
        lintGutter(),
        autocompletion(),
        keymap.of([indentWithTab]),
        EditorState.tabSize.of(4),
        EditorView.contentAttributes.of({ "aria-label": "The code of a bot" }),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) area.value = update.state.doc.toString();
        }),
        EditorView.theme({
          "&": { maxHeight: "60vh", fontSize: "0.9rem", backgroundColor: "white", color: "#1b1b1b" },
          ".cm-scroller": { overflow: "auto", minHeight: "12rem" },
        }),
      ],
    }),
  });
};
