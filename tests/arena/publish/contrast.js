// Returns the texts of a page whose contrast is below AA of WCAG 2: 4.5, and 3 for large ones.
() => {
  const channels = (colour) => {
    const [red, green, blue, alpha = 1] = colour.match(/[\d.]+/g).map(Number);
    return [red, green, blue, alpha];
  };
  const over = (top, below) =>
    below.map((value, at) => top[at] * top[3] + value * (1 - top[3]));
  const luminance = (colour) => {
    const [red, green, blue] = colour
      .map((value) => value / 255)
      .map((value) => (value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const lineage = (element) => (element ? [element, ...lineage(element.parentElement)] : []);
  const behind = (element) =>
    lineage(element)
      .map((one) => channels(getComputedStyle(one).backgroundColor))
      .reduceRight((below, top) => over(top, below), [255, 255, 255]);

  const faint = [];
  for (const element of document.querySelectorAll("body *")) {
    const own = [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
    if (!own || !element.checkVisibility() || element.closest(":disabled, option, .skip, svg")) {
      continue;
    }
    const { color, fontSize, fontWeight } = getComputedStyle(element);
    const opacity = lineage(element).reduce((all, one) => all * getComputedStyle(one).opacity, 1);
    const [red, green, blue, alpha] = channels(color);
    const ground = behind(element);
    const shown = luminance(over([red, green, blue, alpha * opacity], ground));
    const [dark, light] = [shown, luminance(ground)].sort((one, other) => one - other);
    const size = parseFloat(fontSize);
    const large = size >= 24 || (size >= 18.66 && Number(fontWeight) >= 700);
    if ((light + 0.05) / (dark + 0.05) < (large ? 3 : 4.5)) {
      faint.push(`${element.tagName} ${element.className}: ${element.textContent.slice(0, 40)}`);
    }
  }
  return faint;
}
