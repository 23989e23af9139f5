import type { KitIssue } from '../check.ts';
import type { SeenRequest } from '../service/fake-service.ts';
import { settingOperations } from '../service/operations.ts';
import type { Recorded } from '../service/recorded.ts';
import type { PlayedSituation } from './situations.ts';

/** Operations that answer with lists, which are short because a page of them was not read. */
export const LISTS = [
  'scm.listRepositories',
  'scm.listBranches',
  'findings.sync',
  'cloud.inventory',
  'tickets.projects',
];
const PLAN = settingOperations('').plan;
/** Parameters that say where in a list a page begins. */
export const PLACES =
  /^\$?(page(_?(no|num|number|index|token))?|offset|skip|start(_?(at|index))?|cursor|after|marker|next(_?token)?)$/i;

/** Where a list comes in pages, a second one shows that they are read: as recorded, or in a situation. */
export function pageIssues(recorded: readonly Recorded[], situations: readonly PlayedSituation[]): KitIssue[] {
  return recorded.flatMap(({ operation: { name }, played }) => {
    // what is shown is compared with what is done in each situation
    if (name.startsWith(PLAN)) return [];
    const others = situations.map((one) => one.recorded).filter(({ operation }) => operation.name === name);
    const runs = [played, ...others.map((one) => one.played)];
    const counts = runs.flatMap(({ pages }) => pages);
    const isCounted = counts.length > 0 && !counts.some((count) => count > 1);
    const own = counts.length === 0 && LISTS.includes(name) ? runs.map(({ seen }) => placesIn(seen)) : [];
    const isOwn = own.some(({ size }) => size > 0) && !own.some((places) => isRead(places));
    if (!isCounted && !isOwn) return [];
    return [
      {
        what: `${name} reads pages, but a second one is never recorded`,
        where: `${name} with the recorded answers`,
        fix: 'Record an answer that is not the last page of its list, and the page after it; or add a situation with them.',
      },
    ];
  });
}

type Places = ReadonlyMap<string, ReadonlySet<string>>;

/** Where pages of each list began that an own loop asked for. */
function placesIn(seen: readonly SeenRequest[]): Places {
  const places = new Map<string, Set<string>>();
  for (const { method, address } of seen) {
    const { pathname, searchParams } = new URL(address, 'http://127.0.0.1');
    const found = [...searchParams].filter(([name]) => PLACES.test(name));
    if (found.length === 0) continue;
    const list = `${method} ${pathname}`;
    places.set(list, (places.get(list) ?? new Set()).add(JSON.stringify(found)));
  }
  return places;
}

const isRead = (places: Places): boolean => [...places.values()].some(({ size }) => size > 1);
