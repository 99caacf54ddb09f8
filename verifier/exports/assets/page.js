
"use strict";
// The table of runs: filter, sort, show more. A case: made of the data in this file, or of what stands in the page.
// Elements are made by name and filled with text; nothing here reads a text as markup.
{
  const at = (id) => document.getElementById(id);
  const make = (tag, text = "", attributes = {}) => {
    const element = document.createElement(tag);
    element.textContent = text;
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    return element;
  };
  const data = JSON.parse(at("data").textContent);
  const tags = new Set(["a", "article", "b", "bdi", "code", "dd", "div", "dl", "dt", "em", "h3", "h4", "header", "li",
    "mark", "p", "section", "small", "span", "table", "tbody", "td", "th", "thead", "tr", "ul"]);
  const names = new Set(["class", "id", "scope", "href"]);

  const build = (number) => {
    const part = data.parts[number];
    if (typeof part === "string") return document.createTextNode(part);
    const [tag, attributes, ...held] = part;
    if (!tags.has(tag)) throw new Error(`unexpected element ${tag}`);
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes || {})) {
      if (!names.has(name) || (name === "href" && !value.startsWith("#"))) throw new Error(`unexpected attribute ${name}`);
      element.setAttribute(name, value);
    }
    element.append(...held.map(build));
    return element;
  };

  document.documentElement.classList.add("scripted");

  // The table of runs

  const table = at("table"), body = table.tBodies[0], STEP = 50;
  const heads = [...table.tHead.rows[0].cells];
  const rows = [...body.rows].map((row) => ({
    row, cells: [...row.cells].map((cell) => cell.textContent), text: row.textContent.toLowerCase(),
  }));
  const kind = (column) => heads[column].dataset.sort;
  const columns = Object.fromEntries(heads.flatMap((head, column) =>
    (head.dataset.filter ? [[head.dataset.filter, column]] : [])));
  const held = ({ cells }, column) => (kind(column) === "codes" ? cells[column].split(" ") : [cells[column]]);
  const controls = {};
  let limit = STEP, order = rows, matching = rows;

  const controlled = (name, control) => {
    const label = make("label", name);
    control.id = `filter-${name.toLowerCase()}`;
    label.htmlFor = control.id;
    const pair = make("div");
    pair.append(label, control);
    at("filters").append(pair);
    controls[name] = control;
  };
  for (const [name, column] of Object.entries(columns)) {
    const values = new Set(rows.flatMap((one) => held(one, column)));
    values.delete("");
    const select = make("select");
    select.append(make("option", "All", { value: "" }));
    for (const value of [...values].sort()) select.append(make("option", value, { value }));
    select.addEventListener("change", () => refresh(STEP));
    controlled(name, select);
  }
  const search = make("input", "", { type: "search", autocomplete: "off" });
  search.addEventListener("input", () => refresh(STEP));
  controlled("Text", search);
  const clear = make("button", "Clear filters", { type: "button" });
  clear.addEventListener("click", () => {
    for (const control of Object.values(controls)) control.value = "";
    refresh(STEP);
  });
  at("filters").append(clear);
  at("filters").hidden = false;

  const matches = (one) =>
    Object.entries(columns).every(([name, column]) => {
      const wanted = controls[name].value;
      return !wanted || held(one, column).includes(wanted);
    }) && one.text.includes(search.value.toLowerCase());

  const refresh = (most) => {
    limit = most;
    matching = order.filter(matches);
    const chosen = new Set(matching);
    for (const one of rows) one.row.hidden = !chosen.has(one);
    matching.forEach(({ row }, place) => row.classList.toggle("later", place >= limit));
    const visible = Math.min(limit, matching.length);
    at("shown").textContent = `${matching.length.toLocaleString("en")} of ${rows.length.toLocaleString("en")}`
      + ` ${table.dataset.noun} match`
      + (visible < matching.length ? `, the first ${visible.toLocaleString("en")} are shown.` : ".");
    at("paging").hidden = visible >= matching.length;
  };
  at("more").addEventListener("click", () => refresh(limit + 4 * STEP));

  const STATES = ["Error", "Truncated", "Malformed", "Inadmissible", "Abstained", "Admissible"];
  const value = (text, column) => {
    if (kind(column) === "state") return STATES.indexOf(text);
    if (kind(column) !== "number") return text;
    const [over, under = "1"] = text.split("/");
    return text === "–" ? -1 : Number(over) / Number(under);
  };
  const sort = (column) => {
    const head = heads[column], falling = head.getAttribute("aria-sort") === "ascending";
    for (const one of heads) one.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", falling ? "descending" : "ascending");
    const keyed = order.map((one, place) => [value(one.cells[column], column), place, one]);
    const sign = falling ? -1 : 1;
    keyed.sort(([a, i], [b, j]) => (a < b ? -sign : a > b ? sign : i - j));
    order = keyed.map(([, , one]) => one);
    body.append(...order.map(({ row }) => row));
    refresh(limit);
  };
  heads.forEach((head, column) => {
    const button = make("button", head.textContent, { type: "button" });
    button.addEventListener("click", () => sort(column));
    head.dataset.name = head.textContent;
    head.replaceChildren(button);
  });
  refresh(STEP);

  // The reader of one case

  const reader = at("reader");
  const numberOf = ({ cells }) => cells[0];
  const copy = (id, root) => {
    const standing = at(id);
    const element = standing && !reader.contains(standing) ? standing.cloneNode(true) : build(root);
    element.removeAttribute("id");
    return element;
  };
  const open = (number) => {
    const one = rows.find((each) => numberOf(each) === number);
    if (!one?.row.querySelector("th a")) return;
    const scene = Number(one.row.dataset.scene);
    const article = copy(`case-${number}`, data.cases[number]);
    article.querySelector("header").after(copy(`scene-${scene}`, data.scenes[scene]));
    at("case").replaceChildren(article);
    const readable = matching.filter(({ row }) => row.querySelector("th a")), place = readable.indexOf(one);
    at("position").textContent = place < 0 ? `Case ${number}`
      : `${(place + 1).toLocaleString("en")} of ${readable.length.toLocaleString("en")}`;
    at("previous").disabled = place < 1;
    at("next").disabled = place < 0 || place + 1 >= readable.length;
    at("previous").onclick = () => go(readable[place - 1]);
    at("next").onclick = () => go(readable[place + 1]);
    if (!reader.open) reader.showModal();
    reader.scrollTop = 0;
    at("case").focus({ preventScroll: true });
  };
  const go = (one) => {
    history.replaceState(null, "", `#case-${numberOf(one)}`);
    open(numberOf(one));
  };
  const follow = () => {
    const asked = /^#case-([0-9]+)$/.exec(location.hash);
    if (asked) open(asked[1]);
    else if (reader.open) reader.close();
  };
  at("close").addEventListener("click", () => reader.close());
  reader.addEventListener("click", (event) => { if (event.target === reader) reader.close(); });
  reader.addEventListener("close", () => {
    const number = location.hash.replace("#case-", "");
    if (location.hash.startsWith("#case-")) history.replaceState(null, "", "#runs");
    rows.find((each) => numberOf(each) === number)?.row.querySelector("a").focus();
  });
  window.addEventListener("hashchange", follow);
  follow();
}
