/**
 * Every table of the database, by name. Each slice adds its own in its `server/tables.ts`:
 * `declare module '../../platform/server/tables.ts' { interface Database { scans: ScansTable } }`.
 */
// biome-ignore lint/suspicious/noEmptyInterface: filled by the slices
export interface Database {}
