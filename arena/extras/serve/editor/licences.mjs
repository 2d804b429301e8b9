// Writes the licences of what is bundled into static/editor.js.
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";

const packages = readdirSync("node_modules", { withFileTypes: true })
  .flatMap(({ name }) => name.startsWith("@") ? readdirSync(`node_modules/${name}`).map((one) => `${name}/${one}`) : [name])
  .filter((name) => !name.includes("esbuild") && existsSync(`node_modules/${name}/LICENSE`))
  .sort();
const texts = packages.map((name) => {
  const { version } = JSON.parse(readFileSync(`node_modules/${name}/package.json`));
  return `${name} ${version}\n\n${readFileSync(`node_modules/${name}/LICENSE`, "utf8").trim()}\n`;
});
writeFileSync("../static/editor.LICENSE.txt", texts.join("\n\n"));
