import { isRecord } from './read.ts';

/** True when brackets are nested more than `levels` deep. One level after the other: no text can exhaust the stack. */
export function isDeeper(values: readonly unknown[], levels: number): boolean {
  let level: unknown[] = [values];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth >= levels) return true;
    const next: unknown[] = [];
    for (const holder of level) addHolders(holder, next);
    level = next;
  }
  return false;
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
