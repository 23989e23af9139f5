/** `acme, acme-labs` as it was entered: each once, in that order. */
export function workspacesOf(entered: string): string[] {
  const slugs = entered.split(',').map((slug) => slug.trim().toLowerCase());
  return [...new Set(slugs.filter((slug) => slug !== ''))];
}
