/** Marks a text of a table that the interface shows by `t()`, so that `npm run texts` and the checks know of it. */
export const msg = <const Text extends string>(text: Text): Text => text;
