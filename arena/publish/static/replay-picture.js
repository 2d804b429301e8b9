// The picture of a table: its drawing with all that it takes from the page, as a PNG.
"use strict";

(function () {
  const WIDTH = 1200;
  const HEAD = 76;
  /** What the look of a drawing consists of. */
  const LOOK = `clip-path color dominant-baseline fill fill-rule filter font-family font-size
    font-variant-numeric font-weight opacity stroke stroke-dasharray stroke-linecap stroke-width
    text-anchor transform`.split(/\s+/);

  /** Return a copy of a drawing that needs neither the styles of the page nor its emblems. */
  function standalone(drawing) {
    const copy = drawing.cloneNode(true);
    const own = [copy, ...copy.querySelectorAll("*")];
    [drawing, ...drawing.querySelectorAll("*")].forEach((shown, at) => {
      const look = getComputedStyle(shown);
      own[at].removeAttribute("class");
      own[at].setAttribute("style", LOOK.map((key) => `${key}:${look.getPropertyValue(key)}`).join(";"));
    });
    for (const use of copy.querySelectorAll("use")) {
      const emblem = document.querySelector(use.getAttribute("href"));
      if (emblem) {
        const inside = standalone(emblem);
        ["x", "y", "width", "height"].forEach((key) =>
          inside.setAttribute(key, use.getAttribute(key)),
        );
        use.replaceWith(inside);
      }
    }
    return copy;
  }

  async function imageOf(drawing, width, height) {
    const copy = standalone(drawing);
    copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
    copy.setAttribute("width", width);
    copy.setAttribute("height", height);
    const image = new Image();
    const text = new XMLSerializer().serializeToString(copy);
    image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
    await image.decode();
    return image;
  }

  /** Return the picture of a drawing below a title and a line of words, as a PNG. */
  arena.picture = async function (drawing, title, words) {
    const { width, height } = drawing.viewBox.baseVal;
    const tall = Math.round((WIDTH * height) / width);
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [WIDTH, HEAD + tall];
    const pen = canvas.getContext("2d");
    const { backgroundColor, color, fontFamily } = getComputedStyle(document.body);
    pen.fillStyle = backgroundColor;
    pen.fillRect(0, 0, WIDTH, HEAD + tall);
    pen.fillStyle = color;
    pen.font = `600 30px ${fontFamily}`;
    pen.fillText(title, 12, 36, WIDTH - 24);
    pen.font = `20px ${fontFamily}`;
    pen.fillText(words, 12, 64, WIDTH - 24);
    pen.drawImage(await imageOf(drawing, WIDTH, tall), 0, HEAD);
    return new Promise((done) => canvas.toBlob(done, "image/png"));
  };
})();
