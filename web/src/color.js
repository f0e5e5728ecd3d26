// Colours. Loads are cividis (Nunez, Anderton and Renslow 2018; every fifth of its 256 colours, as Matplotlib gives them to the
// public): lightness rises all the way, so people who see few colours, and grey copies, order them alike. Accents are after
// Okabe and Ito, and never alone: dashes, rings and arrow heads say the same.

const KNOTS = ('00224e002656002a5f002d68003070083370163770203a6f273e6e2e416d34456c3a486c3f4c6c444f6c49536c4e566c535a6d575d6d5c616e60646f656870696b716d6f727272747676767a7a78'
  + '7e7d788381798885788d8878928c789690779b9476a09875a59c74aaa073afa471b5a86fbaac6dbfb06bc4b468c9b965cfbd62d4c15fdac65bdfca57e5cf52ead34cf0d846f6dd3ffce236fee838').match(/../g).map((x) => parseInt(x, 16));

/** [red, green, blue] for a number from 0 to 1. */
export function cividis(x) {
  const last = KNOTS.length / 3 - 1, p = Math.min(Math.max(x, 0), 1) * last, i = Math.min(Math.floor(p), last - 1);
  return [0, 1, 2].map((c) => Math.round(KNOTS[3 * i + c] + (p - i) * (KNOTS[3 * i + 3 + c] - KNOTS[3 * i + c])));
}

// The ends of the map that would vanish in the background, or among idle links, are cut off.
export const THEMES = Object.freeze({
  light: {name: 'light', ground: '#ffffff', panel: '#f6f7f9', ink: '#1a2027', soft: '#5d6875', idle: '#d3d8df', rim: '#3a444f', fill: '#ffffff', dot: '#10151b', map: (x) => cividis(0.8 - 0.76 * x), select: '#0072b2', block: '#b8357f', bad: '#c83a00'},
  dark: {name: 'dark', ground: '#12161c', panel: '#181d25', ink: '#e6e9ee', soft: '#98a3b1', idle: '#343d49', rim: '#c9d1db', fill: '#12161c', dot: '#ffffff', map: (x) => cividis(0.4 + 0.58 * x), select: '#56b4e9', block: '#ff8ac0', bad: '#ff7a4a'},
});

export const COLOURS = 33; // that a picture has at most: each is a stroke
export const css = ([r, g, b]) => `rgb(${r},${g},${b})`;

/** Which of the colours a value has; 0 means none. A rejected plan may carry more than there should be. */
export const shade = (value, most) => (value <= 0 ? 0 : most <= 1 ? COLOURS : 1 + Math.min(COLOURS - 1, Math.floor(((value - 1) / (most - 1)) * (COLOURS - 1))));
/** The colours of a theme, by shade. */
export const palette = (theme) => Array.from({length: COLOURS + 1}, (_, i) => (i === 0 ? null : theme.map((i - 1) / (COLOURS - 1))));
