/** Names in the templates of a text: `https://{{host}}:{{port}}` gives host and port. Templates are look-ups, never code. */
export function templateKeys(text: string): string[] {
  return [...text.matchAll(/\{\{(\w+)\}\}/g)].map((match) => match[1] ?? '');
}
