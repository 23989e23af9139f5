import { type Plugin, PluginError } from '../../plugin.ts';

/** Characters that turn or hide text, and control characters: a title must be what it looks like. */
const DECEPTIVE = /[\p{Cc}\p{Cf}\u2028\u2029]/u;
const MAX_PATTERN = 300;
const MAX_DEPTH = 40;

/**
 * What a manifest from outside may not say besides what `readManifest` refuses: texts that look like others, and patterns that take the host's
 * time, for it matches them against what people enter. @throws PluginError
 */
export function checkManifestOfStranger(plugin: Plugin, description: unknown): void {
  const issues: string[] = [];
  if (/breakwater/i.test(plugin.publisher ?? '')) issues.push(`publisher "${plugin.publisher}": that is us`);
  look({ plugin, description }, [], issues);
  if (issues.length > 0) throw new PluginError([...new Set(issues)].slice(0, 20));
}

const SHOWN = new Set(['title', 'description', 'publisher', 'reason']);

function look(value: unknown, path: readonly string[], issues: string[]): void {
  const key = path.at(-1) ?? '';
  if (path.length > MAX_DEPTH) {
    issues.push(`${path.slice(0, 5).join('.')}: is nested too deeply`);
    return;
  }
  if (typeof value === 'string') {
    if (SHOWN.has(key) && DECEPTIVE.test(value)) issues.push(`${key}: holds characters that cannot be seen`);
    if (key === 'pattern' && !isCheapPattern(value)) issues.push(`pattern "${value.slice(0, 60)}" may take too long`);
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  if (key === 'patternProperties') issues.push('patternProperties are not allowed');
  for (const [name, part] of Object.entries(value)) look(part, [...path, name], issues);
}

/**
 * True for a pattern whose matching takes at most the square of the text's length: no group is repeated, and nothing refers back. Sound rather
 * than complete.
 */
export function isCheapPattern(pattern: string): boolean {
  if (pattern.length > MAX_PATTERN) return false;
  const bare = withoutClasses(pattern);
  const unbounded = bare.match(/[*+]|\{\d*,\}/g)?.length ?? 0;
  const isGroupRepeated = /\)(?:[*+]|\{\d*,\})/.test(bare) || (unbounded > 0 && /\)\{/.test(bare));
  return !isGroupRepeated && !/\\[1-9k]/.test(pattern) && unbounded <= 3 && !/\{\d{3}/.test(bare);
}

/** A pattern with one letter in place of each escape and each class of characters. */
function withoutClasses(pattern: string): string {
  let [bare, isClass] = ['', false];
  for (let at = 0; at < pattern.length; at += 1) {
    const character = pattern[at] ?? '';
    if (character === '\\') at += 1;
    if (character === '[') isClass = true;
    if (character === ']' && isClass) {
      isClass = false;
      bare += 'x';
    } else if (!isClass) bare += character === '\\' ? 'x' : character;
  }
  return bare;
}
