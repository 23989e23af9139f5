import type { Json } from '../../../context.ts';
import type { Exchange } from '../../fixtures.ts';
import type { KitIssue } from '../check.ts';
import { play } from '../service/play.ts';
import type { Recorded } from '../service/recorded.ts';
import type { Subject } from '../service/subject.ts';
import { resultOf } from './results.ts';

const SUFFIX = ' (renamed)';

/** Operations whose records are known again by an id, which a new name must not change. */
const LISTS = ['scm.listRepositories', 'findings.sync'];

/** The same things under new names keep their ids: otherwise each would be taken for gone, and for a new one. */
export async function nameIssues(subject: Subject, recorded: readonly Recorded[]): Promise<KitIssue[]> {
  const lists = recorded.filter(({ operation, played }) => LISTS.includes(operation.name) && played.outcome.ok);
  return (await Promise.all(lists.map((list) => issuesOf(subject, list)))).flat();
}

async function issuesOf(subject: Subject, { operation, played, used }: Recorded): Promise<KitIssue[]> {
  const before = namedIn(played.outcome.ok ? resultOf(played.outcome.value, played) : null);
  const names = new Set(before.map(({ name }) => name));
  const exchanges = used.map((exchange) => renamed(exchange, names));
  const again = await play(
    { ...subject, fixture: { ...subject.fixture, exchanges: replaced(subject, used, exchanges) } },
    operation,
  );
  // a service that is asked by names cannot be played under others
  if (!again.outcome.ok || again.seen.some(({ exchange }) => exchange === null)) return [];
  const after = namedIn(resultOf(again.outcome.value, again));
  return before.flatMap(({ id, name }, index) => {
    const now = after[index];
    if (now === undefined || now.id === id || now.name === name) return [];
    return [
      {
        what: `${operation.name}: the id "${id}" becomes "${now.id}" when "${name}" is renamed`,
        where: `${operation.name} with the recorded answers, names changed`,
        fix: 'Take the id that the service keeps for ever, not a name.',
      },
    ];
  });
}

interface Named {
  readonly id: string;
  readonly name: string;
}

/** Records with an id and a name that are not the same text. */
function namedIn(result: Json): Named[] {
  if (!Array.isArray(result)) return [];
  return result.flatMap((record) => {
    if (typeof record !== 'object' || record === null || Array.isArray(record)) return [];
    const { id, name } = record;
    return typeof id === 'string' && typeof name === 'string' ? [{ id, name }] : [];
  });
}

function replaced({ fixture }: Subject, used: readonly Exchange[], exchanges: readonly Exchange[]): Exchange[] {
  return (fixture.exchanges ?? []).map((exchange) => exchanges[used.indexOf(exchange)] ?? exchange);
}

function renamed({ request, answer }: Exchange, names: ReadonlySet<string>): Exchange {
  return { request, answer: answer.body === undefined ? answer : { ...answer, body: rename(answer.body, names) } };
}

function rename(value: Json, names: ReadonlySet<string>): Json {
  if (typeof value === 'string') return names.has(value) ? `${value}${SUFFIX}` : value;
  if (Array.isArray(value)) return value.map((item) => rename(item, names));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, rename(item, names)]));
}
