import { secrecyOf, secretLooks } from '../../../secret-values.ts';
import type { BuiltFile } from './build-manifest.ts';

/** `apiKey: "…"`, `"api_key": "…"`, `const TOKEN = '…'`; at most 300 characters. */
const ASSIGNED = /([\w$-]{2,60})["']?\s{0,4}[:=]\s{0,4}(["'`])([^"'`\s]{12,200})\2/g;

/** Literals that look like secrets, as `file:line`, what gave them away, never the value. */
export function secretLiterals(files: readonly BuiltFile[]): string[] {
  return files.flatMap(({ path, content }) =>
    new TextDecoder()
      .decode(content)
      .split('\n')
      .flatMap((line, index) => reasonsOf(line).map((reason) => `${path}:${index + 1}: ${reason}`)),
  );
}

const REASONS = {
  value: 'a value with the look of a token, key or password',
  'private key': 'a private key',
} as const;

function reasonsOf(line: string): string[] {
  const reasons = new Set<string>(secretLooks(line, isLookUp).map((look) => REASONS[look]));
  for (const [, name = '', , value = ''] of line.matchAll(ASSIGNED)) {
    if (secrecyOf(name) === 'secret' && isToken(value)) reasons.add(`"${name}" has a value written out`);
  }
  return [...reasons];
}

/** `{{field}}` is a look-up in the form, `${…}` in code. */
const isLookUp = (value: string): boolean => /\{\{|\$\{/.test(value);

function isToken(value: string): boolean {
  return !isLookUp(value) && /\d/.test(value) && /[A-Za-z]/.test(value) && !/^https?:/.test(value);
}
