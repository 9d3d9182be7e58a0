// What is wrong with the page that is shown, in words: a list of strings. Nothing on the page is changed for good.
(() => {
  const LEAST = 4.5, LEAST_LARGE = 3, SLACK = 1;
  const faults = [];
  const root = document.documentElement, body = document.body ?? root;  // a picture alone has no body

  // Colours

  const parse = (colour) => {
    const [r, g, b, a = 1] = colour.match(/[\d.]+/g).map(Number);
    return [r, g, b, a];
  };
  const over = (top, below) => [0, 1, 2].map((i) => top[i] * top[3] + below[i] * (1 - top[3])).concat(1);
  const paper = (() => {
    const probe = document.createElementNS("http://www.w3.org/1999/xhtml", "i");
    probe.style.background = "Canvas";
    body.append(probe);
    const colour = parse(getComputedStyle(probe).backgroundColor);
    probe.remove();
    return colour;
  })();
  const background = (element) => {
    const layers = [];
    for (let at = element; at; at = at.parentElement) layers.push(parse(getComputedStyle(at).backgroundColor));
    return layers.reverse().reduce((below, top) => over(top, below), paper);
  };
  const luminance = (colour) => {
    const [r, g, b] = colour.slice(0, 3).map((value) => {
      const part = value / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const contrast = (one, other) => {
    const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b);
    return (high + 0.05) / (low + 0.05);
  };
  // What a shape of a picture is filled with: of a pattern, everything that is in it.
  const fills = (shape) => {
    const { fill } = getComputedStyle(shape), pattern = fill.match(/^url\("#(.+)"\)/);
    const paints = (part) => [getComputedStyle(part).fill, getComputedStyle(part).stroke];
    const found = pattern ? [...document.getElementById(pattern[1]).children].flatMap(paints) : [fill];
    return found.filter((colour) => colour !== "none").map(parse);
  };
  // What lies under the texts of a picture, at their ends and their middle: of what is drawn before them, the last there.
  const shapes = "rect, path, circle, ellipse, polygon";
  const under = new Map();
  for (const picture of document.querySelectorAll("svg")) {
    const painted = [];
    for (const element of picture.querySelectorAll(`${shapes}, text`)) {
      if (element.closest("defs")) continue;
      const { left, right, top, bottom } = element.getBoundingClientRect();
      if (element.localName !== "text") {
        const colours = fills(element);
        if (colours.length) painted.push({ left, right, top, bottom, colours });
        continue;
      }
      const y = (top + bottom) / 2;
      const found = [0.05, 0.5, 0.95].flatMap((part) => {
        const x = left + (right - left) * part;
        const at = painted.findLast((one) => one.left <= x && x <= one.right && one.top <= y && y <= one.bottom);
        return at ? at.colours : [background(element)];
      });
      under.set(element, found);
    }
  }

  // Text boxes, as far as they can be seen where the page stands

  const clipped = (rect, element) => {
    let { left, top, right, bottom } = rect;
    for (let at = element; at && at !== body; at = at.parentElement) {
      if (getComputedStyle(at).overflow === "visible") continue;
      const frame = at.getBoundingClientRect();
      [left, top] = [Math.max(left, frame.left), Math.max(top, frame.top)];
      [right, bottom] = [Math.min(right, frame.right), Math.min(bottom, frame.bottom)];
    }
    return { left, top, right, bottom };
  };
  const stuck = (element) => {
    for (let at = element; at; at = at.parentElement) if (getComputedStyle(at).position === "sticky") return at;
    return null;
  };
  const boxes = [];
  const walker = document.createTreeWalker(body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement, style = getComputedStyle(element);
    if (!node.data.trim() || style.visibility !== "visible" || style.display === "none") continue;
    const words = node.data.trim().slice(0, 40);
    const below = under.get(element) ?? [background(element)], colour = parse(under.has(element) ? style.fill : style.color);
    const ratio = Math.min(...below.map((one) => contrast(over(colour, one), one)));
    const size = parseFloat(style.fontSize), bold = Number(style.fontWeight) >= 700;
    const least = size >= 24 || (bold && size >= 18.66) ? LEAST_LARGE : LEAST;
    if (ratio < least) faults.push(`contrast ${ratio.toFixed(2)}: ${words}`);
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const rect of range.getClientRects()) {
      const box = clipped(rect, element);
      if (box.right - box.left > SLACK && box.bottom - box.top > SLACK) boxes.push({ ...box, node, words, element });
    }
  }
  boxes.sort((one, other) => one.top - other.top);
  boxes.forEach((one, index) => {
    for (let next = index + 1; next < boxes.length && boxes[next].top < one.bottom - SLACK; next += 1) {
      const other = boxes[next];
      if (one.node === other.node || stuck(one.element) !== stuck(other.element)) continue;
      if (Math.min(one.right, other.right) - Math.max(one.left, other.left) > SLACK) {
        faults.push(`overlap: ${one.words} / ${other.words}`);
      }
    }
  });

  // What stands over what: where regions are scrolled to their middle, the names of rows and columns stay on top

  for (const region of document.querySelectorAll(".scroll")) {
    region.scrollIntoView({ block: "start" });
    region.scrollTo(region.scrollWidth / 4, region.scrollHeight / 4);
    const frame = region.getBoundingClientRect();
    for (const head of region.querySelectorAll("th")) {
      const name = head.textContent, sticky = getComputedStyle(head).position === "sticky";
      if (!name.trim()) faults.push(`a header of ${region.getAttribute("aria-label")} has no name`);
      const rect = head.getBoundingClientRect();
      const [x, y] = [(rect.left + rect.right) / 2, (rect.top + rect.bottom) / 2];
      const corner = region.querySelector("thead tr").cells[0].getBoundingClientRect();
      const hidden = head.scope === "row" ? y < corner.bottom : x < corner.right && head.cellIndex > 0;
      // Without the bars of the region itself.
      const [right, bottom] = [frame.left + region.clientWidth, Math.min(frame.top + region.clientHeight, innerHeight)];
      const outside = x < frame.left || x > right || y < frame.top || y > bottom;
      if (!sticky || outside || hidden) continue;
      const top = document.elementFromPoint(x, y);
      if (!head.contains(top)) faults.push(`covered: the header ${name}`);
    }
    region.scrollTo(0, 0);
  }
  scrollTo(0, 0);

  // Size, keyboard and links

  if (root.scrollWidth > root.clientWidth) faults.push(`the page is ${root.scrollWidth - root.clientWidth} pixels too wide`);
  for (const element of body.querySelectorAll("*")) {
    const style = getComputedStyle(element);
    const scrolls = element.scrollWidth > element.clientWidth + SLACK || element.scrollHeight > element.clientHeight + SLACK;
    const what = `${element.tagName.toLowerCase()} ${element.getAttribute("aria-label") ?? element.textContent.trim().slice(0, 40)}`;
    if (scrolls && /auto|scroll/.test(style.overflow)) {
      if (element.getAttribute("tabindex") !== "0") faults.push(`not reached by the keyboard: ${what}`);
      if (!element.getAttribute("aria-label")) faults.push(`no name: ${what}`);
    } else if (scrolls && /hidden|clip/.test(style.overflow)) faults.push(`cut off: ${what}`);
    if (element.tabIndex >= 0) {
      element.focus({ focusVisible: true });
      if (document.activeElement !== element) faults.push(`cannot be focused: ${what}`);
      else if (getComputedStyle(element).outlineStyle === "none") faults.push(`its focus does not show: ${what}`);
    }
  }
  for (const link of document.querySelectorAll("a[href^='#']")) {
    if (!document.getElementById(decodeURIComponent(link.hash.slice(1)))) faults.push(`leads nowhere: ${link.hash}`);
  }
  for (const link of document.links) if (!link.textContent.trim()) faults.push(`a link without words: ${link.href}`);
  if (!document.title || !root.getAttribute("lang")) faults.push("no title or no language");
  return [...new Set(faults)];
})();
