"use strict";
(() => {
  // State is rebuilt from the first step each time: a run has at most some thousand steps, and going back is as easy as going on.
  function stateAt(steps, last) {
    const frames = [];
    for (let number = 0; number <= last; number++) {
      const step = steps[number];
      const changing = number === last;
      for (const frame of frames) frame.changed = changing ? new Map() : frame.changed;
      if (step.kind === "call") {
        frames.length = Math.min(frames.length, frames.findIndex((each) => each.depth >= step.depth) + 1 || Infinity);
        while (frames.length && frames[frames.length - 1].depth >= step.depth) frames.pop();
        const frame = { id: step.frame, name: step.in, depth: step.depth, values: new Map(), changed: new Map() };
        for (const given of step.given || []) write(frame, given, changing);
        frames.push(frame);
      } else if (step.kind === "return") {
        if (!changing) while (frames.length && frames[frames.length - 1].depth >= step.depth) frames.pop();
      } else if (step.name) {
        write(frameOf(frames, step), step, changing);
      }
    }
    return frames;
  }

  function frameOf(frames, step) {
    let frame = frames.find((each) => each.id === step.frame);
    if (!frame) {
      const names = { "-1": "heap", 0: "globals" };
      frame = { id: step.frame, name: names[step.frame] || step.in, depth: -1, values: new Map(), changed: new Map() };
      if (step.frame > 0) frames.push(frame); else frames.unshift(frame);
    }
    return frame;
  }

  function write(frame, step, changing) {
    const isPart = step.index !== undefined && step.index !== "";
    if (!isPart && !step.array) {
      frame.values.set(step.name, { text: step.value });
    } else {
      const image = step.array || {};
      // An array that says what all other elements are is the whole; without that it is a part of what is drawn already.
      const before = (image.others === undefined && frame.values.get(step.name)) || {};
      const cells = Object.assign({}, before.cells, image.cells, isPart ? { [step.index]: step.value } : {});
      frame.values.set(step.name, { cells, others: step.array ? image.others : before.others });
    }
    if (changing) frame.changed.set(step.name, step.index);
  }

  function element(tag, className, text) {
    const made = document.createElement(tag);
    if (className) made.className = className;
    if (text !== undefined) made.textContent = text;
    return made;
  }

  // Elements by their numbers; members as they were written.
  function inOrder(a, b) {
    const areElements = a.startsWith("[") && b.startsWith("[");
    return Number(a) - Number(b) || (areElements ? a.localeCompare(b, "en", { numeric: true }) : 0);
  }

  function drawValue(value, hit) {
    if (!value.cells) return element("code", "", value.text);
    const row = element("span", "s-cells");
    for (const index of Object.keys(value.cells).sort(inOrder)) {
      const cell = element("span", index === hit ? "s-cell s-hit" : "s-cell");
      cell.append(element("small", "", index + ": "), value.cells[index]);
      row.append(cell);
    }
    if (value.others !== undefined) row.append(element("span", "s-cell", "others: " + value.others));
    return row;
  }

  function drawState(into, frames) {
    into.replaceChildren();
    for (const frame of frames.slice().reverse()) {
      const box = element("div", "s-frame");
      box.append(element("div", "s-frame-name", frame.name));
      const table = element("table");
      for (const [name, value] of frame.values) {
        const row = element("tr", frame.changed.has(name) ? "s-changed" : "");
        const cell = element("td");
        cell.append(drawValue(value, frame.changed.get(name)));
        row.append(element("th", "", name), cell);
        row.firstChild.scope = "row";
        table.append(row);
      }
      box.append(table);
      into.append(box);
    }
  }

  function player(root) {
    const steps = JSON.parse(root.querySelector("script").textContent);
    const items = root.querySelectorAll(".s-steps li");
    const slider = root.querySelector("input[type=range]");
    const buttons = Object.fromEntries([...root.querySelectorAll("[data-go]")].map((each) => [each.dataset.go, each]));
    const name = root.dataset.run;
    let now = -1;
    let marked = null;

    function show(step, quietly) {
      now = Math.max(0, Math.min(steps.length - 1, step));
      slider.value = now;
      root.querySelector(".s-now").textContent = `${now + 1} of ${steps.length}: ${steps[now].text}`;
      drawState(root.querySelector(".s-state"), stateAt(steps, now));
      for (const each of root.querySelectorAll(".s-steps [aria-current]")) each.removeAttribute("aria-current");
      items[now].setAttribute("aria-current", "step");
      if (marked) marked.removeAttribute("aria-current");
      marked = document.getElementById(steps[now].at);
      if (marked) marked.setAttribute("aria-current", "step");
      buttons.first.disabled = buttons.previous.disabled = now === 0;
      buttons.last.disabled = buttons.next.disabled = now === steps.length - 1;
      if (quietly) return;
      const list = root.querySelector(".s-steps");
      list.scrollTop = items[now].offsetTop - list.offsetTop - list.clientHeight / 2;
      if (marked) marked.scrollIntoView({ block: "nearest" });
      history.replaceState(null, "", `#run=${name}&step=${now + 1}`);
    }

    const moves = { first: () => 0, previous: () => now - 1, next: () => now + 1, last: () => steps.length - 1 };
    for (const [word, button] of Object.entries(buttons)) button.addEventListener("click", () => show(moves[word]()));
    slider.addEventListener("input", () => show(Number(slider.value)));
    items.forEach((item, number) => item.querySelector("button").addEventListener("click", () => show(number)));
    show(0, true);
    return { show, moves, name };
  }

  const players = [...document.querySelectorAll(".s-run")].map(player);
  const keys = { ArrowRight: "next", ArrowLeft: "previous", Home: "first", End: "last" };
  document.addEventListener("keydown", (event) => {
    const elsewhere = event.target.closest("input, select, textarea, summary");
    if (!players.length || elsewhere || event.ctrlKey || event.metaKey || event.altKey || !(event.key in keys)) return;
    const own = event.target.closest(".s-run");
    const chosen = players.find((each) => own && each.name === own.dataset.run) || players[0];
    chosen.show(chosen.moves[keys[event.key]]());
    event.preventDefault();
  });

  function follow() {
    const found = /^#run=(\d+)&step=(\d+)$/.exec(location.hash);
    const chosen = found && players.find((each) => each.name === found[1]);
    if (chosen) chosen.show(Number(found[2]) - 1);
  }
  window.addEventListener("hashchange", follow);
  follow();

  for (const box of document.querySelectorAll(".s-only-different")) {
    box.addEventListener("change", () => {
      const table = box.closest("section").querySelector(".s-sides");
      for (const row of table.tBodies[0].rows) row.hidden = box.checked && !row.classList.contains("s-differs");
    });
  }
})();
