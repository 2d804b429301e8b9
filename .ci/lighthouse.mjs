// Measures a page of a site with Lighthouse: node lighthouse.mjs site/index.html
// Each category has at least 95 of 100 and no layout shifts by more than 0.1. The figure for performance is
// printed only, since it depends on how busy the machine is.
import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { extname } from "node:path";
import { launch } from "chrome-launcher";
import lighthouse from "lighthouse";

const TYPES = { ".css": "text/css", ".html": "text/html", ".js": "text/javascript", ".json": "application/json",
  ".svg": "image/svg+xml", ".woff2": "font/woff2" };
const server = createServer(async (request, response) => {
  const path = decodeURIComponent(new URL(request.url, "http://site").pathname);
  const content = await readFile(`site${path}`).catch(() => null);
  response.writeHead(content ? 200 : 404, { "content-type": TYPES[extname(path)] ?? "application/octet-stream" });
  response.end(content);
}).listen(0, "127.0.0.1");

// robots.txt is no part of a site, and search engines are asked not to list private pages.
async function measure(page) {
  const skipAudits = /report\//.test(page) ? ["robots-txt", "is-crawlable"] : ["robots-txt"];
  const chrome = await launch({ chromeFlags: ["--headless", "--no-sandbox", "--disable-gpu"] });
  try {
    const address = `http://127.0.0.1:${server.address().port}/${page.replace(/^site\//, "")}`;
    const { lhr } = await lighthouse(address, { port: chrome.port, skipAudits, logLevel: "silent" });
    const missing = Object.values(lhr.categories).find(({ id, score }) => id !== "performance" && score === null);
    if (lhr.runtimeError || missing) throw new Error(lhr.runtimeError?.message ?? `no figure for ${missing.title}`);
    return lhr;
  } finally {
    chrome.kill();
  }
}

// The browser may crash or answer late on a busy machine, so there are two tries.
const page = process.argv[2];
const found = await measure(page).catch(() => measure(page)).catch((error) => error);
server.close();
if (found instanceof Error) {
  console.log(`skipped: Lighthouse could not measure ${page} here: ${found.message}`);
} else {
  const categories = Object.values(found.categories);
  const shift = found.audits["cumulative-layout-shift"].numericValue ?? 0;
  const scores = categories.map(({ title, score }) => `${title} ${Math.round(100 * score)}`);
  console.log("Lighthouse", page, [...scores, `layout shift ${shift.toFixed(2)}`].join(", "));
  const low = categories.filter(({ id, score }) => id !== "performance" && score < 0.95);
  for (const { id } of low.flatMap(({ auditRefs }) => auditRefs.filter(({ weight }) => weight > 0))) {
    if ((found.audits[id].score ?? 1) < 1) console.log(`  ${id}: ${found.audits[id].title}`);
  }
  process.exitCode = low.length === 0 && shift <= 0.1 ? 0 : 1;
}
