// What the page shows now, as one flat object; and the same as the hash of its address, so that a link is a state. No DOM.

export const START = Object.freeze({step: 1, show: 'step', node: -1, link: -1, at: 0, block: '', finding: -1, bound: 0, run: 0, speed: 4, theme: ''});
const WORDS = {show: ['step', 'sofar', 'all'], theme: ['', 'light', 'dark']};
const LEAST = {step: 1, node: -1, link: -1, at: 0, finding: -1, bound: 0, run: 0, speed: 1};

/** Whatever a hash says that makes sense; the rest is as at the start. */
export function fromHash(hash) {
  const out = {...START}, words = new URLSearchParams(hash.replace(/^#/, ''));
  for (const key of Object.keys(START)) {
    if (!words.has(key)) continue;
    const word = words.get(key);
    if (key in WORDS) { if (WORDS[key].includes(word)) out[key] = word; }
    else if (key === 'block') { if (/^\d+(-\d+)?(\.\d+)?$/.test(word)) out.block = word; }
    else if (/^\d+$/.test(word) && Number(word) >= LEAST[key]) out[key] = Number(word);
  }
  return out;
}

/** The step always, the rest only where it differs from the start. */
export function toHash(state) {
  const words = new URLSearchParams({step: String(state.step)});
  for (const key of Object.keys(START)) if (key !== 'step' && state[key] !== START[key]) words.set(key, String(state[key]));
  return '#' + words;
}

/** Keeps a state within what is there: so many steps, and of each plan nodes, links and findings. */
export function within(state, steps, plans) {
  const out = {...state, step: Math.min(Math.max(1, state.step), Math.max(1, steps)), at: state.at < plans.length ? state.at : 0};
  const plan = plans[out.at];
  if (out.node >= plan.N) out.node = -1;
  if (out.link >= plan.A) out.link = -1;
  if (out.finding >= (plan.meta.findings?.length ?? 0)) out.finding = -1;
  out.speed = Math.min(64, out.speed);
  return out;
}
