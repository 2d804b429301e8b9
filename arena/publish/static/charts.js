// Draws the charts of a page with Observable Plot, which is loaded when the first one comes into sight.
"use strict";

const charts = [...document.querySelectorAll(".chart")];
const LONGEST_NAME = 22;

// A colour of the page as the browser shows it now, so that a saved picture has it too.
function resolved(name) {
  const probe = document.createElement("span");
  probe.style.color = `var(--${name})`;
  document.body.append(probe);
  const found = getComputedStyle(probe).color;
  probe.remove();
  return found;
}

function colors() {
  const names = ["ink", "muted", "line", "accent", "against", "paper", "raised"];
  const found = Object.fromEntries(names.map((name) => [name, resolved(name)]));
  found.bots = Array.from({ length: 12 }, (_, at) => resolved(`bot-${at + 1}`));
  return found;
}

const short = (name) => (name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME - 1)}…` : name);
const percent = (value) => `${(100 * value).toFixed(1)}%`;
const margin = (names) => 24 + 6.6 * Math.min(LONGEST_NAME, Math.max(4, ...names.map((name) => name.length)));

function milliseconds(value) {
  return value >= 1000 ? `${+(value / 1000).toPrecision(3)} s` : `${+value.toPrecision(3)} ms`;
}

// -- the kinds of charts: options of a plot, from the data of the page --

const kinds = {
  scores(data, c) {
    const bots = data.bots;
    const names = bots.map((bot) => bot.bot);
    const known = bots.filter((bot) => bot.low !== null)
      .map((bot) => ({ ...bot, low: Math.min(bot.low, bot.score), high: Math.max(bot.high, bot.score) }));
    return {
      height: 60 + 26 * bots.length,
      marginLeft: margin(names),
      x: { label: "score", tickFormat: "%", grid: true },
      y: { domain: names, label: null, tickFormat: short },
      marks: [
        Plot.ruleX([0.5], { stroke: c.muted, strokeDasharray: "4 3" }),
        Plot.link(known, { x1: "low", x2: "high", y1: "bot", y2: "bot", stroke: c.accent, strokeWidth: 6, strokeOpacity: 0.4, strokeLinecap: "round" }),
        Plot.dot(bots, { x: "score", y: "bot", r: 4.5, fill: c.accent }),
        Plot.link(bots.filter((bot) => bot.lined), { x1: () => lowest(bots), x2: () => highest(bots), y1: "bot", y2: "bot", dy: 13, stroke: c.ink, strokeWidth: 2 }),
        Plot.tip(bots, Plot.pointer({ x: "score", y: "bot", title: (bot) => `${bot.bot}: ${percent(bot.score)}${bot.low === null ? "" : `\nfrom ${percent(bot.low)} to ${percent(bot.high)}`}` })),
      ],
    };
  },

  certainty(data, c) {
    const names = data.strips.map((strip) => strip.pair);
    const parts = data.strips.flatMap((strip) => strip.values.map((value, look) => ({
      pair: strip.pair, value, border: strip.borders[look], from: look ? data.games[look - 1] : 0, to: data.games[look],
    }))).filter((part) => part.value !== null);
    const lines = parts.filter((part) => part.border === "line" || part.border === "close");
    const bounds = [0.5, 0.75, 0.95, 0.99];
    const shade = (value) => [0.1, 0.24, 0.42, 0.66][bounds.filter((bound) => value >= bound).length - 1];
    return {
      height: 60 + 26 * names.length,
      marginLeft: margin(names.map((name) => name.slice(0, 34))) + 60,
      marginRight: 52,
      x: { label: "games", domain: [0, data.games.at(-1)] },
      y: { type: "band", domain: names, label: null, padding: 0.3, tickFormat: (name) => (name.length > 34 ? `${name.slice(0, 33)}…` : name) },
      marks: [
        Plot.barX(parts, { x1: "from", x2: "to", y: "pair", fill: (part) => (part.value < 0.5 ? c.against : c.accent), fillOpacity: (part) => (part.value < 0.5 ? 0.3 : shade(part.value)) }),
        Plot.link(lines, { x1: "from", x2: "to", y1: "pair", y2: "pair", stroke: c.ink, strokeWidth: 2.2, strokeDasharray: (part) => (part.border === "close" ? "4 3" : null) }),
        Plot.text(data.strips, { x: () => data.games.at(-1), y: "pair", text: "now", dx: 6, textAnchor: "start", fill: c.muted }),
        Plot.tip(parts, Plot.pointer({ x: "to", y: "pair", title: (part) => `${part.pair}\nafter ${part.to.toLocaleString("en")} games: ${part.value.toFixed(2)}` })),
      ],
    };
  },

  course(data, c) {
    const mu = (bot) => data.bots[bot].at(-1)[0];
    const names = Object.keys(data.bots).sort((a, b) => mu(b) - mu(a)); // the best keep their colours
    const points = names.flatMap((bot) => data.bots[bot].map(([mu, half], look) => ({ bot, mu, half, games: data.games[look] })));
    const last = data.games.at(-1);
    const settled = points.filter((point) => point.games >= 0.12 * last);
    const chosenColors = apart(names.map((bot) => data.colors[bot]));
    const own = (point) => c.bots[chosenColors[names.indexOf(point.bot)] - 1];
    const ends = names.toReversed().map((bot) => ({ bot, mu: mu(bot) }));
    const low = Math.min(...settled.map((point) => point.mu - point.half)) - 1;
    const high = Math.max(...settled.map((point) => point.mu + point.half)) + 1;
    const step = (high - low) / 20;
    for (const [place, end] of ends.entries()) end.at = place ? Math.max(end.mu, ends[place - 1].at + step) : end.mu;
    return {
      height: 380,
      marginRight: margin(names),
      x: { label: "games", domain: [0, last] },
      y: { label: "mu", domain: [low, high], grid: true, clamp: true },
      marks: [
        Plot.areaY(points, { x: "games", y1: (point) => point.mu - point.half, y2: (point) => point.mu + point.half, z: "bot", fill: own, fillOpacity: 0.13, clip: true }),
        Plot.line(points, { x: "games", y: "mu", z: "bot", stroke: own, strokeWidth: 2, clip: true }),
        Plot.text(ends, { x: () => last, y: "at", text: (end) => short(end.bot), dx: 8, textAnchor: "start", fill: own, fontWeight: 600 }),
        Plot.tip(points, Plot.pointer({ x: "games", y: "mu", title: (point) => `${point.bot}\nmu ${point.mu.toFixed(1)} ±${point.half.toFixed(1)} after ${point.games.toLocaleString("en")} games` })),
      ],
    };
  },
};

const lowest = (bots) => Math.min(0.5, ...bots.map((bot) => bot.low ?? bot.score));
const highest = (bots) => Math.max(0.5, ...bots.map((bot) => bot.high ?? bot.score));

// -- drawing --

const dataOf = (chart) => JSON.parse(document.getElementById(`${chart.dataset.chart}-data`).textContent);

function draw(chart, data = chart.shownData ?? dataOf(chart)) {
  const c = colors();
  chart.shownData = data;
  const width = Math.max(340, Math.min(chart.clientWidth || 640, 1100));
  const options = kinds[data.kind](data, c);
  const style = { background: "transparent", color: c.ink, fontSize: "13px", overflow: "visible", "--plot-background": c.raised };
  const drawn = Plot.plot({ width, style, ...options });
  drawn.setAttribute("aria-hidden", "true"); // the box has the description, and the numbers are below
  chart.replaceChildren(drawn);
  chart.style.minHeight = "";
}

let library = null;

function load() {
  library ??= new Promise((resolve) => {
    const script = document.createElement("script");
    script.src = document.querySelector('script[src$="charts.js"]').src.replace("charts.js", "plot.js");
    script.addEventListener("load", resolve);
    document.head.append(script);
  });
  return library;
}

const isShown = (chart) => chart.offsetParent !== null;

function drawSoon(chart) {
  if (!isShown(chart) || chart.childElementCount) return;
  load().then(() => { if (isShown(chart) && !chart.childElementCount) draw(chart); });
}

const near = new IntersectionObserver((entries) => {
  for (const entry of entries) if (entry.isIntersecting) drawSoon(entry.target);
}, { rootMargin: "300px" });

function redraw() {
  for (const chart of charts.filter((one) => one.childElementCount)) {
    if (isShown(chart)) draw(chart);
    else chart.replaceChildren();
  }
}

for (const chart of charts) {
  const data = dataOf(chart);
  const rows = (data.bots?.length ?? data.boxes?.length ?? data.strips?.length);
  chart.style.minHeight = `${rows ? 60 + 25 * rows : 380}px`;
  near.observe(chart);
}
document.addEventListener("shown", () => charts.forEach((chart) => {
  if (isShown(chart)) { near.unobserve(chart); near.observe(chart); }
}));
document.getElementById("theme")?.addEventListener("change", () => setTimeout(redraw));
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
addEventListener("beforeprint", () => charts.forEach((chart) => { if (library && !chart.childElementCount) draw(chart); }));
let resizing = 0;
let lastWidth = innerWidth;
addEventListener("resize", () => {
  if (innerWidth === lastWidth) return;
  lastWidth = innerWidth;
  clearTimeout(resizing);
  resizing = setTimeout(redraw, 200);
});

// -- pictures as files --

function save(chart, format) {
  const drawn = chart.querySelector("svg[viewBox]").cloneNode(true);
  drawn.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  drawn.style.background = resolved("raised");
  drawn.style.fontFamily = "Arial, Helvetica, sans-serif";
  const address = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(new XMLSerializer().serializeToString(drawn))}`;
  const give = (href) => {
    const link = document.createElement("a");
    link.href = href;
    link.download = `${chart.dataset.chart}.${format}`;
    link.click();
  };
  if (format === "svg") { give(address); return; }
  const picture = new Image();
  picture.addEventListener("load", () => {
    const canvas = document.createElement("canvas");
    canvas.width = 2 * drawn.getAttribute("width");
    canvas.height = 2 * drawn.getAttribute("height");
    canvas.getContext("2d").drawImage(picture, 0, 0, canvas.width, canvas.height);
    give(canvas.toDataURL("image/png"));
  });
  picture.src = address;
}

document.addEventListener("click", (event) => {
  const format = event.target.closest("[data-save]")?.dataset.save;
  const chart = format && event.target.closest(".figure").querySelector(".chart");
  if (chart?.childElementCount) save(chart, format);
});

// -- what a cell of a heat map says --

for (const kind of ["mouseover", "focusin"]) {
  document.addEventListener(kind, (event) => {
    const cell = event.target.closest?.(".heat td[title], .heat td[data-said]");
    if (!cell) return;
    if (cell.title) { cell.dataset.said = cell.title; cell.removeAttribute("title"); } // shown below instead
    cell.closest(".figure").querySelector(".told").textContent = cell.dataset.said;
  });
}
