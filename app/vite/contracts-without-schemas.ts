import type { Plugin } from 'vite';

const STUB_ID = '\0breakwater:typebox-stub';

/**
 * In place of TypeBox's `Type`: every member and every call answers with itself. An import of anything else from
 * TypeBox (validation, for one) finds no such export and fails the build.
 */
const STUB = `
const schema = new Proxy(() => schema, { get: () => schema, apply: () => schema });
export const Type = schema;
`;

/**
 * The browser needs a route's method and path and its static types; the schemas themselves only serve the server, which
 * validates. Leaving TypeBox out of the bundle saves 25 kB gzip on every page.
 */
export const contractsWithoutSchemas = (): Plugin => ({
  name: 'breakwater:contracts-without-schemas',
  enforce: 'pre',
  resolveId: {
    filter: { id: /^typebox$/ },
    handler: () => STUB_ID,
  },
  load: {
    filter: { id: new RegExp(STUB_ID) },
    handler: () => STUB,
  },
});
