import { readFileSync } from 'node:fs';

/** `0-3,8` as numbers. Source: proc(5), Cpus_allowed_list. */
export function processorsOf(list: string): number[] {
  const parts = list.split(',').filter((part) => /^\d+(?:-\d+)?$/.test(part.trim()));
  return parts.flatMap((part) => {
    const [first = 0, last = first] = part.split('-').map(Number);
    return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index);
  });
}

/**
 * Half of the processors that this process may use, as `taskset` takes them: all plugins together leave the other half to the server. Null where there is one
 * alone, or where the system does not say.
 */
export function halfOfProcessors(status = '/proc/self/status'): string | null {
  try {
    const [, list = ''] = /^Cpus_allowed_list:\s*(\S+)$/m.exec(readFileSync(status, 'utf8')) ?? [];
    const all = processorsOf(list);
    return all.length < 2 ? null : all.slice(Math.ceil(all.length / 2)).join(',');
  } catch {
    return null;
  }
}

/** How many processors all plugins together have. */
export function pluginProcessors(): number {
  const half = halfOfProcessors();
  return half === null ? 1 : half.split(',').length;
}
