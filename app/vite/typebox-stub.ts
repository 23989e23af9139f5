/**
 * In place of TypeBox in the browser, which needs a route's method and path and its static types: the server validates.
 * Every member and every call answers with itself. An import of anything else from TypeBox (validation, for one) finds no such export
 * and fails the build. See docs/decisions/2026-11-22-contracts-in-the-browser.md.
 */
const schema: object = new Proxy(() => schema, { get: () => schema, apply: () => schema });
/** @public Imported through the alias in vite.config.ts. */
export const Type = schema;
