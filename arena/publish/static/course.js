// The ratings of the bots that a reader chooses, drawn over those of the leaders. Text enters the page
// as text only.
"use strict";

const COURSE = {
  width: 960, height: 430, left: 48, right: 210, top: 12, bottom: 44,
  most: 6, // colours
  sigmas: 1.96,
  settled: 0.12, // the first part of a run, with uncertain ratings, which the axes need not fit
  letters: 26, // of a name; longer ones are cut
  gap: 19, // between the names of two lines
};

const chooser = document.getElementById("chooser");
const choice = document.getElementById("chooser-bot");
const drawing = document.getElementById("course").parentElement;
const leaders = document.getElementById("course");
let course = null; // games, and mu and sigma by bot, once they are loaded
let chosen = [];

function shape(tag, attributes, text) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  if (text !== undefined) made.textContent = text;
  return made;
}

function shortened(name) {
  const letters = [...name];
  return letters.length > COURSE.letters ? `${letters.slice(0, COURSE.letters - 1).join("")}\u2026` : name;
}

/** Return about `number` round values between two values. */
function ticks(low, high, number) {
  const rough = (high - low) / number;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((one) => one * power).find((one) => one >= rough);
  const first = Math.ceil(low / step);
  return Array.from({ length: Math.floor(high / step) - first + 1 }, (_, at) => (first + at) * step);
}

/** Return the lowest and the highest rating that the axis shows. */
function limits() {
  const from = COURSE.settled * course.games.at(-1);
  const ends = chosen.flatMap((bot) => course.bots[bot]
    .filter((_, at) => course.games[at] >= from)
    .flatMap(([mu, sigma]) => [mu - COURSE.sigmas * sigma, mu + COURSE.sigmas * sigma]));
  return [Math.min(...ends) - 1, Math.max(...ends) + 1];
}

/** Return places near the ascending `values`, with at least `gap` between two of them. */
function spread(values, gap) {
  const places = [...values];
  for (let at = 1; at < places.length; at += 1) places[at] = Math.max(places[at], places[at - 1] + gap);
  const over = places.length ? Math.max(0, places.at(-1) - (COURSE.height - COURSE.bottom)) : 0;
  return places.map((place) => place - over);
}

function draw() {
  const { width, height, left, right, top, bottom } = COURSE;
  const [low, high] = limits();
  const last = Math.max(1, course.games.at(-1));
  const x = (games) => left + ((width - left - right) * games) / last;
  const y = (mu) => top + ((height - top - bottom) * (high - mu)) / (high - low);
  const points = (pairs) => pairs.map((pair) => pair.map((one) => one.toFixed(1)).join(",")).join(" ");
  const name = `Ratings of ${chosen.join(", ")} during the run`;
  const svg = shape("svg", {
    viewBox: `0 0 ${width} ${height}`, width, class: "picture chosen", role: "img", "aria-label": name,
  });
  const clip = shape("clipPath", { id: "course-clip" });
  clip.append(shape("rect", { x: left, y: top, width: width - left - right, height: height - top - bottom }));
  svg.append(clip);
  for (const games of ticks(0, last, 8)) {
    svg.append(shape("line", { class: "grid", x1: x(games), x2: x(games), y1: top, y2: height - bottom }));
    svg.append(shape("text", { x: x(games), y: height - bottom + 18, "text-anchor": "middle" }, games.toLocaleString("en")));
  }
  for (const mu of ticks(low, high, 7)) {
    svg.append(shape("line", { class: "grid", x1: left, x2: width - right, y1: y(mu), y2: y(mu) }));
    svg.append(shape("text", { x: left - 8, y: y(mu) + 4, "text-anchor": "end" }, mu));
  }
  svg.append(shape("text", { x: (left + width - right) / 2, y: height - 4, "text-anchor": "middle" }, "games"));
  svg.append(shape("text", { x: 12, y: top + 4 }, "mu"));
  const lines = chosen.map((bot, at) => {
    const half = (sign) => course.bots[bot].map(([mu, sigma], step) =>
      [x(course.games[step]), y(mu + sign * COURSE.sigmas * sigma)]);
    const color = `var(--series-${at + 1})`;
    const inside = { "clip-path": "url(#course-clip)" };
    svg.append(shape("polygon", { ...inside, points: points([...half(1), ...half(-1).reverse()]), fill: color, opacity: 0.13 }));
    svg.append(shape("polyline", { ...inside, points: points(half(0)), fill: "none", stroke: color, "stroke-width": 2.5 }));
    return { bot, color, end: y(course.bots[bot].at(-1)[0]) };
  });
  lines.sort((one, other) => one.end - other.end);
  const places = spread(lines.map((line) => line.end), COURSE.gap);
  lines.forEach((line, at) => svg.append(
    shape("text", { class: "bot", x: width - right + 10, y: places[at] + 4, style: `fill: ${line.color}` }, shortened(line.bot)),
  ));
  return svg;
}

function show() {
  drawing.querySelector(".chosen")?.remove();
  leaders.style.display = chosen.length ? "none" : "";
  if (chosen.length) drawing.append(draw());
  const removers = chosen.map((bot) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = `\u00d7 ${bot}`;
    button.setAttribute("aria-label", `Remove ${bot}`);
    button.addEventListener("click", () => { chosen = chosen.filter((one) => one !== bot); show(); choice.focus(); });
    return button;
  });
  document.getElementById("chosen").replaceChildren(...removers);
  choice.disabled = chosen.length >= COURSE.most;
}

function add(bot) {
  if (bot in course.bots && !chosen.includes(bot)) chosen.push(bot);
  choice.value = "";
  show();
}

// The file with the ratings calls it.
function showCourse(loaded) {
  course = loaded;
  add(choice.value);
}

choice.addEventListener("change", () => {
  if (choice.value === "") return;
  if (course) {
    add(choice.value);
    return;
  }
  const script = document.createElement("script"); // pages of a local folder may not read other files
  script.src = chooser.dataset.course;
  document.head.append(script);
});
