import type { Plugin } from 'vite';

/** Blueprint's loader of icons by name: it lists all names and brings chunks with all drawings. */
const LOADER = /\/@blueprintjs\/icons\/lib\/esm\/iconLoader\.js$/;

/** Icons are components here, each with its own drawing; a name finds nothing, and Blueprint says so in the console. */
const STUB = `
export class Icons {
  static setLoaderOptions() {}
  static getPaths() {}
  static load(icon) { return Promise.reject(new Error('Use a component: ' + icon)); }
}
`;

/** Leaves out what only icons given by name need. */
export const iconsWithoutNames = (): Plugin => ({
  name: 'breakwater:icons-without-names',
  apply: 'build',
  load: (id) => (LOADER.test(id) ? STUB : undefined),
});

const DRAWING = /\/@blueprintjs\/icons\/lib\/esm\/(?:generated\/components\/.+|svgIconContainer)\.js$/;

/** Each edit has to find its text, so that another version of Blueprint fails the build instead of drawing nothing. */
const edit = (code: string, found: RegExp, text: string, id: string): string => {
  if (!found.test(code)) throw new Error(`${id} is not written as expected: ${found}`);
  return code.replace(found, text);
};

/** The module of an icon with its drawing of 16 px alone, and their frame showing that one at every size. */
export const toOneDrawing = (code: string, id: string): string => {
  if (id.endsWith('svgIconContainer.js'))
    return edit(code, /isLarge = size >= IconSize\.LARGE;/, 'isLarge = false;', id);
  if (!code.includes('PATHS_20')) return code;
  const small = edit(code, /isLarge \? PATHS_20 : PATHS_16/, 'PATHS_16', id);
  return edit(small, /^const PATHS_20 = .*$/m, '', id);
};

/** Blueprint draws every icon twice, at 16 and 20 px: half of what icons weigh. Large ones stand in empty states only. */
export const iconsDrawnOnce = (): Plugin => ({
  name: 'breakwater:icons-drawn-once',
  apply: 'build',
  transform: { filter: { id: DRAWING }, handler: (code, id) => ({ code: toOneDrawing(code, id), map: null }) },
});

const TEXT = /\/@blueprintjs\/core\/lib\/esm\/components\/text\/text\.js$/;

/**
 * Blueprint's text, of which every button has one, asks after it was drawn whether it is cut off, and is drawn again with the answer. One
 * that is never cut off need not ask: a page with sixteen buttons was laid out and drawn twice before anybody saw it.
 */
export const textsDrawnOnce = (): Plugin => ({
  name: 'breakwater:texts-drawn-once',
  apply: 'build',
  transform: {
    filter: { id: TEXT },
    handler: (code, id) => ({
      code: edit(code, /if \(contentMeasuringRef\.current\?\.textContent != null\)/, 'if (ellipsize)', id),
      map: null,
    }),
  },
});

/** Blueprint's five blues, and the steps of our violet ramp that take their place (design/look/look.md). */
export const RAMP: Record<string, string> = {
  '#184a90': '#47278d',
  '#215db0': '#5930b0',
  '#2d72d2': '#6b3fcf',
  '#4c90f0': '#9b7bec',
  '#8abbff': '#bba6f5',
};

const channelsOf = (hex: string): [number, number, number] => [
  Number.parseInt(hex.slice(1, 3), 16),
  Number.parseInt(hex.slice(3, 5), 16),
  Number.parseInt(hex.slice(5, 7), 16),
];

/** Matches a colour in functional notation up to its alpha: `rgba(45, 114, 210`, `rgb(45 114 210`. */
const functionalForm = (hex: string): RegExp =>
  new RegExp(`(rgba?\\(\\s*)${channelsOf(hex).join('(\\s*,\\s*|\\s+)')}`, 'gi');

/** Every old blue of a style sheet in our violet, as hex (with or without alpha) and as rgb(). */
export const toViolet = (css: string): string => {
  let result = css;
  for (const [blue, violet] of Object.entries(RAMP)) {
    const [red, green, bluish] = channelsOf(violet);
    result = result
      .replaceAll(new RegExp(blue, 'gi'), violet)
      .replace(functionalForm(blue), `$1${red}$2${green}$3${bluish}`);
  }
  return result;
};

/** Blues that are left over; empty in a right build. */
export const bluesIn = (css: string): string[] =>
  Object.keys(RAMP).flatMap((blue) => [
    ...(css.match(new RegExp(blue, 'gi')) ?? []),
    ...(css.match(functionalForm(blue)) ?? []),
  ]);

/**
 * Overriding Blueprint's properties leaves links, checkboxes, progress and callouts blue, because some of its rules
 * hold the literals; so the literals themselves are replaced while its sheets are read.
 */
export const violetBlueprint = (): Plugin => ({
  name: 'breakwater:violet-blueprint',
  enforce: 'pre',
  transform: {
    filter: { id: /@blueprintjs\/.*\.css/ },
    handler: (code) => ({ code: toViolet(code), map: null }),
  },
});
