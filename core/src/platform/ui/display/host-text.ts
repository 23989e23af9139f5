const TEMPLATE = /\{\{\s*(\w+)\s*\}\}/g;

/** A host of a manifest for people: `{{hosted_domain}}:{{port}}` with what is said of its fields, `git.example.com:443` or `[Domain]:[Port]`. */
export const hostText = (host: string, textOf: (field: string) => string): string =>
  host.replace(TEMPLATE, (_template, field: string) => textOf(field));
