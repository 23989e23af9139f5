import { isRecord } from './read.ts';

/** True when brackets are nested more than `levels` deep. */
export function isDeeper(values: readonly unknown[], levels: number): boolean {
  return levelsOf(values, levels) > levels;
}

/** How deep brackets are nested; counted to one more than `most`. One level after the other: no text can exhaust the stack. */
export function levelsOf(value: unknown, most: number): number {
  let level: unknown[] = [];
  if (typeof value === 'object' && value !== null) level.push(value);
  let depth = 0;
  for (; level.length > 0 && depth <= most; depth += 1) {
    const next: unknown[] = [];
    for (const holder of level) addHolders(holder, next);
    level = next;
  }
  return depth;
}

function addHolders(holder: unknown, holders: unknown[]): void {
  if (Array.isArray(holder)) {
    for (let at = 0; at < holder.length; at += 1) {
      const part: unknown = holder[at];
      if (typeof part === 'object' && part !== null) holders.push(part);
    }
  } else if (isRecord(holder)) {
    for (const name in holder) {
      const part = holder[name];
      if (typeof part === 'object' && part !== null) holders.push(part);
    }
  }
}
