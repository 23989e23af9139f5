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
