"use strict";
(() => {
  const SIGN = { right: "✓", partly: "◐", wrong: "✗", "no answer": "–", "not judged": "?" };
  const ORDER = Object.keys(SIGN);
  const FOLDED_FROM = 1500;
  const HEAD = 700;
  const TAIL = 400;
  const NARROW = matchMedia("(max-width: 48rem)");
  const byId = (id) => document.getElementById(id);
  const root = document.documentElement;

  // Everything that comes out of a run enters the page through here, as text.
  function make(tag, attributes = {}, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
      if (value === false || value === undefined) continue;
      element.setAttribute(name, value === true ? "" : String(value));
    }
    element.append(...children.filter((child) => child !== null && child !== ""));
    return element;
  }

  function remembered(name, value) {
    try {
      if (value === undefined) return localStorage.getItem(name);
      localStorage.setItem(name, value);
    } catch {
      // Some browsers keep nothing for pages from disk.
    }
    return null;
  }

  // Theme ------------------------------------------------------------------------------------
  const THEMES = ["auto", "light", "dark"];
  const themeButton = byId("theme");
  let theme = remembered("lmms-eval-tasks-theme");
  function showTheme() {
    if (!THEMES.includes(theme)) theme = "auto";
    if (theme === "auto") delete root.dataset.theme;
    else root.dataset.theme = theme;
    themeButton.textContent = `Theme: ${theme}`;
  }
  themeButton.addEventListener("click", () => {
    theme = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length];
    remembered("lmms-eval-tasks-theme", theme);
    showTheme();
  });
  themeButton.hidden = false;
  showTheme();

  // A table that is folded would be missing on paper.
  const openedForPaper = [];
  addEventListener("beforeprint", () => {
    for (const details of document.querySelectorAll("details:not([open])")) {
      details.open = true;
      openedForPaper.push(details);
    }
  });
  addEventListener("afterprint", () => {
    for (const details of openedForPaper.splice(0)) details.open = false;
  });

  const browser = byId("browser");
  if (!browser) return;

  // Data -------------------------------------------------------------------------------------
  const { pictures, samples } = JSON.parse(byId("data").textContent);
  const tasks = [...new Set(samples.map((sample) => sample.task))];
  const positionOf = new Map(samples.map((sample, position) => [sample.key, position]));
  const whole = (text) => (Array.isArray(text) ? `${text[0]}\n${text[2]}` : text || "");
  const haystacks = [];
  function haystack(position) {
    if (haystacks[position] === undefined) {
      const sample = samples[position];
      const texts = [
        sample.id, sample.reason, sample.question, sample.right, sample.answer, sample.response, sample.reasoning,
        ...(sample.options || []).map((option) => option[1]),
        ...(sample.steps || []).flat(),
        ...Object.values(sample.verdict || {}),
        ...Object.values(sample.facets || {}),
      ];
      haystacks[position] = texts.map(whole).join("\n").toLowerCase();
    }
    return haystacks[position];
  }

  // What is wanted -------------------------------------------------------------------------
  // An empty filter lets everything through; facets are named "f.<facet>" here and in links.
  const state = { q: "", outcomes: new Set(), chosen: new Map(), sample: "" };
  let visible = [];
  let current = -1;

  const valueOf = (sample, name) => {
    if (name === "task") return sample.task;
    if (name === "reason") return sample.reason || "";
    return (sample.facets || {})[name.slice(2)] || "";
  };
  const wordsOf = (query) => query.toLowerCase().split(/\s+/u).filter(Boolean);

  /** The filters there are: what only some tasks know is offered once one of them is chosen. */
  function selectable() {
    const task = state.chosen.get("task");
    const general = [...(tasks.length > 1 ? ["task"] : []), "reason"];
    if (tasks.length > 1 && task === undefined) {
      return [...general, ...[...state.chosen.keys()].filter((name) => name.startsWith("f."))];
    }
    const names = new Map();
    for (const sample of samples) {
      if (task && sample.task !== task) continue;
      for (const [facet, value] of Object.entries(sample.facets || {})) {
        const name = `f.${facet}`;
        if (!names.has(name)) names.set(name, new Set());
        names.get(name).add(value);
      }
    }
    const telling = [...names].filter(([, values]) => values.size > 1).map(([name]) => name);
    return [...general, ...telling];
  }

  /** Which samples pass all filters, and for each value of a filter how many would pass with it. */
  function filtered(names) {
    const words = wordsOf(state.q);
    const counts = new Map([["outcome", new Map()], ...names.map((name) => [name, new Map()])]);
    const totals = new Map([...counts.keys()].map((name) => [name, 0]));
    const found = [];
    samples.forEach((sample, position) => {
      if (words.length && !words.every((word) => haystack(position).includes(word))) return;
      const failed = names.filter((name) => {
        const wanted = state.chosen.get(name);
        return wanted !== undefined && valueOf(sample, name) !== wanted;
      });
      if (state.outcomes.size && !state.outcomes.has(sample.outcome)) failed.push("outcome");
      if (failed.length > 1) return;
      if (!failed.length) found.push(position);
      for (const name of failed.length ? failed : counts.keys()) {
        const value = name === "outcome" ? sample.outcome : valueOf(sample, name);
        counts.get(name).set(value, (counts.get(name).get(value) || 0) + 1);
        totals.set(name, totals.get(name) + 1);
      }
    });
    return { found, counts, totals };
  }

  // Controls ---------------------------------------------------------------------------------
  const search = byId("search");
  const list = byId("list");
  const detail = byId("detail");
  const toggles = new Map();
  const known = [...new Set([...ORDER, ...samples.map((sample) => sample.outcome)])].filter((outcome) =>
    samples.some((sample) => sample.outcome === outcome));
  const tone = (outcome) => `o-${outcome.replaceAll(" ", "-")}`;

  for (const outcome of known) {
    const number = make("span", { class: "number" });
    const button = make("button", { type: "button", class: tone(outcome), "aria-pressed": "false" },
      make("span", { class: "sign", "aria-hidden": "true" }, SIGN[outcome] || "·"), outcome, number);
    button.addEventListener("click", () => {
      if (!state.outcomes.delete(outcome)) state.outcomes.add(outcome);
      changed();
    });
    toggles.set(outcome, { button, number });
    byId("outcomes").append(button);
  }

  const collator = new Intl.Collator("en", { numeric: true });
  function labelOf(name) {
    const label = name.startsWith("f.") ? name.slice(2) : name;
    return label.charAt(0).toUpperCase() + label.slice(1);
  }

  function showSelects(names, counts, totals) {
    const holder = byId("selects");
    const before = new Map([...holder.children].map((field) => [field.dataset.name, field]));
    const fields = names.map((name, place) => {
      const wanted = state.chosen.get(name);
      const field = before.get(name) || newField(name, place);
      const select = field.querySelector("select");
      const values = new Set([...counts.get(name).keys(), ...(wanted === undefined ? [] : [wanted])]);
      values.delete("");
      const ordered = [...values].sort(name === "task" ? (a, b) => tasks.indexOf(a) - tasks.indexOf(b) : collator.compare);
      select.replaceChildren(
        make("option", { value: "" }, `All (${totals.get(name).toLocaleString("en")})`),
        ...ordered.map((value) => make("option", { value: `=${value}` }, `${value} (${(counts.get(name).get(value) || 0).toLocaleString("en")})`)));
      select.value = wanted === undefined ? "" : `=${wanted}`;
      field.classList.toggle("set", wanted !== undefined);
      field.hidden = ordered.length === 0;
      return field;
    });
    const focused = document.activeElement;
    if (fields.length !== holder.children.length || fields.some((field, place) => holder.children[place] !== field)) {
      holder.replaceChildren(...fields);
      if (focused instanceof HTMLElement && holder.contains(focused)) focused.focus();
    }
    const set = names.filter((name) => state.chosen.has(name)).length;
    byId("hint").hidden = tasks.length < 2 || state.chosen.has("task");
    byId("active").textContent = set ? ` (${set} set)` : "";
  }

  let fieldsMade = 0;
  function newField(name) {
    const id = `select-${fieldsMade++}`;
    const select = make("select", { id });
    const field = make("div", {}, make("label", { for: id }, labelOf(name)), select);
    field.dataset.name = name;
    select.addEventListener("change", () => {
      if (select.value) state.chosen.set(name, select.value.slice(1));
      else state.chosen.delete(name);
      changed();
    });
    return field;
  }

  // List -------------------------------------------------------------------------------------
  const rows = samples.map((sample, position) => {
    const row = make("li", { role: "option", id: `row-${position}`, class: tone(sample.outcome), "aria-selected": "false" },
      make("span", { class: "sign", "aria-hidden": "true" }, SIGN[sample.outcome] || "·"),
      make("div", {},
        make("div", { class: "what" },
          make("span", {}, sample.outcome + (sample.reason ? `: ${sample.reason}` : "")),
          make("span", { title: sample.key }, tasks.length > 1 ? `${sample.id} · ${sample.task}` : sample.id)),
        make("div", { class: "asked", dir: "auto" }, whole(sample.question).slice(0, 160))));
    row.addEventListener("click", () => choose(position, true));
    return row;
  });
  list.append(...rows);
  const nothing = make("li", { class: "empty", role: "option", "aria-disabled": "true", "aria-selected": "false", hidden: true }, "No sample passes these filters.");
  list.append(nothing);

  function changed({ keepHash = false } = {}) {
    for (const name of [...state.chosen.keys()]) {
      if (name !== "task" && !selectable().includes(name)) state.chosen.delete(name);
    }
    const names = selectable();
    const { found, counts, totals } = filtered(names);
    visible = found;
    const passing = new Set(found);
    rows.forEach((row, position) => { row.hidden = !passing.has(position); });
    nothing.hidden = found.length > 0;
    for (const [outcome, { button, number }] of toggles) {
      button.setAttribute("aria-pressed", String(state.outcomes.has(outcome)));
      number.textContent = (counts.get("outcome").get(outcome) || 0).toLocaleString("en");
    }
    showSelects(names, counts, totals);
    const all = samples.length.toLocaleString("en");
    byId("count").textContent = found.length === samples.length
      ? `${all} ${samples.length === 1 ? "sample" : "samples"}`
      : `${found.length.toLocaleString("en")} of ${all} samples`;
    byId("clear").hidden = !(state.q || state.outcomes.size || state.chosen.size);
    if (!passing.has(current)) {
      state.sample = "";
      browser.classList.remove("reading");
      show(found.length ? found[0] : -1);
    } else {
      show(current);
    }
    if (!keepHash) writeLink();
  }

  function choose(position, read) {
    state.sample = samples[position].key;
    show(position);
    if (read) {
      browser.classList.add("reading");
      if (NARROW.matches) {
        detail.scrollIntoView({ block: "start", behavior: "instant" });
        detail.focus({ preventScroll: true });
      }
    }
    if (detail.getBoundingClientRect().top < 0) detail.scrollIntoView({ block: "start", behavior: "instant" });
    writeLink();
  }

  function step(by) {
    if (!visible.length) return;
    const place = visible.indexOf(current);
    const next = Math.min(visible.length - 1, Math.max(0, place + by));
    choose(visible[next], browser.classList.contains("reading"));
  }

  function show(position) {
    if (rows[current]) rows[current].setAttribute("aria-selected", "false");
    current = position;
    const row = rows[position];
    if (!row) {
      list.removeAttribute("aria-activedescendant");
      detail.replaceChildren(make("h3", { id: "detail-title" }, "No sample"), make("p", { class: "aside" }, "No sample passes these filters."));
      return;
    }
    row.setAttribute("aria-selected", "true");
    list.setAttribute("aria-activedescendant", row.id);
    // Scrolls the list alone, never the page.
    if (row.offsetTop < list.scrollTop) list.scrollTop = row.offsetTop;
    const below = row.offsetTop + row.offsetHeight - list.clientHeight;
    if (below > list.scrollTop) list.scrollTop = below;
    detail.replaceChildren(...parts(samples[position]));
  }

  // One sample -------------------------------------------------------------------------------
  function marked(text) {
    const words = wordsOf(state.q).sort((a, b) => b.length - a.length);
    if (!words.length || !text) return [text];
    const escaped = words.map((word) => word.replace(/[.*+?^${}()|[\]\\/-]/g, "\\$&"));
    const pieces = text.split(new RegExp(`(${escaped.join("|")})`, "gi"));
    return pieces.map((piece, place) => (place % 2 ? make("mark", {}, piece) : piece));
  }

  const count = (number) => number.toLocaleString("en");
  const lengthOf = (text) => (Array.isArray(text) ? text[0].length + text[1] + text[2].length : text.length);

  /** The pieces of a text: all that the page holds of it. */
  function pieces(text) {
    if (!Array.isArray(text)) return marked(text);
    const gap = make("span", { class: "gap" }, `${count(text[1])} characters are left out here`);
    return [...marked(text[0]), gap, ...marked(text[2])];
  }

  /** A text in a block of its own, folded if it is long. */
  function block(text, kind = "") {
    const element = make("div", { class: `text ${kind}`, dir: "auto" });
    const held = whole(text);
    if (held.length <= FOLDED_FROM) {
      element.append(...pieces(text));
      return element;
    }
    const unfold = make("button", { type: "button", class: "quiet unfold", "aria-expanded": "false" },
      Array.isArray(text) ? `Show what this page has of ${count(lengthOf(text))} characters` : `Show all ${count(held.length)} characters`);
    const open = () => element.replaceChildren(...pieces(text));
    unfold.addEventListener("click", () => {
      open();
      element.tabIndex = -1;
      element.focus();
    });
    const words = wordsOf(state.q);
    const folded = held.slice(HEAD, -TAIL).toLowerCase();
    if (words.some((word) => folded.includes(word))) open();
    else element.append(...marked(`${held.slice(0, HEAD)}…`), unfold, ...marked(`…${held.slice(-TAIL)}`));
    return element;
  }

  function part(title, ...content) {
    return make("section", { class: "part" }, make("h4", {}, title), ...content);
  }

  function pairs(entries, kind = "") {
    return make("dl", { class: `pairs ${kind}` }, ...entries.flatMap(([name, text]) => [
      make("dt", {}, name), make("dd", {}, block(text))]));
  }

  function options(sample) {
    const right = new Set(String(whole(sample.right)).split(/,\s*/u));
    const chosen = new Set(String(whole(sample.answer)).split(/,\s*/u));
    return make("ol", { class: "options" }, ...sample.options.map(([letter, text]) => {
      const isRight = right.has(letter) || right.has(whole(text));
      const isChosen = chosen.has(letter);
      const tags = [isRight ? "✓ right" : "", isChosen ? (isRight ? "chosen" : "✗ chosen") : ""].filter(Boolean);
      return make("li", { class: isRight ? "is-right" : isChosen ? "is-chosen-wrong" : "" },
        make("span", { class: "letter" }, letter), make("span", { class: "text", dir: "auto" }, ...pieces(text)),
        make("span", { class: "tag" }, tags.join(", ")));
    }));
  }

  function linkTo(sample) {
    return `#${new URLSearchParams({ sample: sample.key })}`;
  }

  function head(sample) {
    const place = visible.indexOf(current);
    const previous = make("button", { type: "button", class: "quiet", "aria-label": "Previous sample" }, "↑");
    const next = make("button", { type: "button", class: "quiet", "aria-label": "Next sample" }, "↓");
    previous.disabled = place <= 0;
    next.disabled = place >= visible.length - 1;
    previous.addEventListener("click", () => { step(-1); refocus("Previous sample"); });
    next.addEventListener("click", () => { step(1); refocus("Next sample"); });
    const back = make("button", { type: "button", class: "quiet back" }, "‹ List");
    back.addEventListener("click", toList);
    return make("div", { class: "head" },
      make("div", { class: "steer" }, back,
        make("span", { class: `badge ${tone(sample.outcome)}` }, make("span", { "aria-hidden": "true" }, SIGN[sample.outcome] || "·"), sample.outcome),
        make("span", {}, sample.reason || ""), make("span", { class: "spring" }),
        make("span", {}, `${count(place + 1)} of ${count(visible.length)}`), previous, next),
      make("h3", { id: "detail-title" }, make("bdi", {}, sample.id)),
      make("dl", { class: "chips" },
        make("div", {}, make("dt", {}, "task"), make("dd", {}, sample.task)),
        ...Object.entries(sample.facets || {}).map(([name, value]) => make("div", {}, make("dt", {}, name), make("dd", {}, make("bdi", {}, value))))),
      make("a", { class: "own", href: linkTo(sample) }, "Link to this sample"));
  }

  function refocus(label) {
    const buttons = [...detail.querySelectorAll(".steer button:not(:disabled)")];
    const same = buttons.find((button) => button.getAttribute("aria-label") === label);
    (same || detail).focus({ preventScroll: true });
  }

  function shownPictures(sample) {
    const found = (sample.pictures || []).map((number, place) => make("img", {
      src: pictures[number], alt: `What the model was shown with sample ${sample.id}, made small${place ? ` (${place + 1})` : ""}` }));
    const note = sample.picture_note ? make("p", { class: "aside" }, `Picture: ${sample.picture_note}`) : null;
    return found.length || note ? [part("Picture", found.length ? make("div", { class: "pictures" }, ...found) : null, note)] : [];
  }

  function answers(sample) {
    const entries = [["right", sample.right || "–"]];
    if (sample.answer || sample.options) entries.push(["read from the response", sample.answer || "nothing"]);
    return part("Answer", pairs(entries));
  }

  function parts(sample) {
    const shown = [head(sample), ...shownPictures(sample)];
    const question = part("Question", block(sample.question || "–"));
    question.classList.add("question");
    shown.push(question);
    if (sample.options) shown.push(part("Options", options(sample)));
    shown.push(answers(sample));
    const response = sample.response || "";
    shown.push(part("Response", response ? block(response, "said") : make("p", { class: "aside" }, "empty")));
    if (sample.reasoning) {
      const words = wordsOf(state.q);
      const held = whole(sample.reasoning).toLowerCase();
      shown.push(make("details", { class: "part", open: words.some((word) => held.includes(word)) },
        make("summary", {}, `Reasoning that was not scored (${count(lengthOf(sample.reasoning))} characters)`), block(sample.reasoning, "said")));
    }
    if (sample.steps) shown.push(part("Step by step", pairs(sample.steps, "mono")));
    if (sample.verdict) shown.push(part("Verdict", pairs(Object.entries(sample.verdict))));
    const texts = [sample.question, sample.response, sample.reasoning, ...Object.values(sample.verdict || {}), ...(sample.options || []).map((option) => option[1]), ...(sample.steps || []).map((entry) => entry[1])];
    if (texts.some(Array.isArray)) {
      shown.push(make("p", { class: "aside" }, `Very long texts are cut in this page. All of them: doc_id ${sample.key.slice(sample.key.lastIndexOf("/") + 1)} in ${sample.file}.`));
    }
    return shown;
  }

  // Links ------------------------------------------------------------------------------------
  function writeLink() {
    const link = new URLSearchParams();
    for (const [name, value] of state.chosen) link.append(name, value);
    for (const outcome of state.outcomes) link.append("outcome", outcome);
    if (state.q) link.append("q", state.q);
    if (state.sample) link.append("sample", state.sample);
    const text = link.toString();
    if (text || location.hash.includes("=")) {
      history.replaceState(null, "", text ? `#${text}` : `${location.pathname}${location.search}`);
    }
  }

  function readLink() {
    if (!location.hash.includes("=")) return false;
    const link = new URLSearchParams(location.hash.slice(1));
    state.q = link.get("q") || "";
    state.outcomes = new Set(link.getAll("outcome").filter((outcome) => known.includes(outcome)));
    state.chosen = new Map([...link].filter(([name]) => name === "task" || name === "reason" || name.startsWith("f.")));
    search.value = state.q;
    const wanted = link.get("sample") || "";
    current = -1;
    changed({ keepHash: true });
    browser.classList.remove("reading");
    const position = positionOf.get(wanted);
    if (position !== undefined) {
      if (!visible.includes(position)) {
        Object.assign(state, { q: "", outcomes: new Set(), chosen: new Map() });
        search.value = "";
        changed({ keepHash: true });
      }
      choose(position, true);
    } else if (wanted) {
      byId("count").textContent += `. The sample of this link, ${wanted}, is not in this page.`;
    }
    byId("samples").scrollIntoView({ block: "start", behavior: "instant" });
    return true;
  }

  // Keys -------------------------------------------------------------------------------------
  const help = byId("help");
  const singleKeys = byId("single-keys");
  singleKeys.checked = remembered("lmms-eval-tasks-keys") !== "off";
  singleKeys.addEventListener("change", () => remembered("lmms-eval-tasks-keys", singleKeys.checked ? "on" : "off"));

  function toList() {
    browser.classList.remove("reading");
    list.focus({ preventScroll: true });
    show(current);
    if (NARROW.matches) list.scrollIntoView({ block: "nearest", behavior: "instant" });
  }

  const near = () => {
    const box = browser.getBoundingClientRect();
    if (box.top > innerHeight || box.bottom < 0) browser.scrollIntoView({ block: "start", behavior: "instant" });
  };
  const KEYS = {
    j: () => { near(); step(1); },
    k: () => { near(); step(-1); },
    "/": () => { browser.classList.remove("reading"); near(); search.focus(); search.select(); },
    "?": () => help.showModal(),
  };

  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || help.open) return;
    const typing = event.target instanceof Element && event.target.closest("input, select, textarea");
    if (event.key === "Escape") {
      if (event.target === search) {
        if (search.value) { state.q = ""; search.value = ""; changed(); }
        list.focus({ preventScroll: true });
        event.preventDefault();
      } else if (!typing) {
        toList();
      }
      return;
    }
    if (typing) return;
    const inList = list.contains(event.target);
    const act = KEYS[event.key];
    if (act && (singleKeys.checked || inList)) {
      event.preventDefault();
      act();
    }
  });

  list.addEventListener("keydown", (event) => {
    const jumps = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10, Home: -Infinity, End: Infinity };
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key in jumps) {
      event.preventDefault();
      step(jumps[event.key]);
    } else if (event.key === "Enter" && visible.length) {
      event.preventDefault();
      choose(current, true);
      detail.focus({ preventScroll: !NARROW.matches });
    }
  });

  byId("keys").addEventListener("click", () => help.showModal());
  byId("filters").addEventListener("submit", (event) => event.preventDefault());
  byId("clear").addEventListener("click", () => {
    Object.assign(state, { q: "", outcomes: new Set(), chosen: new Map() });
    search.value = "";
    changed();
    search.focus();
  });
  let typed;
  search.addEventListener("input", () => {
    clearTimeout(typed);
    typed = setTimeout(() => { state.q = search.value.trim(); changed(); }, 120);
  });
  addEventListener("hashchange", readLink);

  if (NARROW.matches) byId("more").open = false;
  browser.hidden = false;
  if (!readLink()) changed();
})();
