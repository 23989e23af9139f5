import type { Json } from '../../../../context.ts';
import { condense, type KitCheck, type KitIssue, notApplicable } from '../../check.ts';
import { type Played, play } from '../../service/play.ts';
import { describeOutcome, type Recorded } from '../../service/recorded.ts';
import { inSituation, type Subject } from '../../service/subject.ts';
import { LISTS } from '../paging.ts';
import { resultOf } from '../results.ts';
import { playSituations } from '../situations.ts';
import { type RecordedPages, recordedPages, withItems } from './recorded-pages.ts';
import { without } from './without.ts';

const NAME = 'page sizes';

/** A list that was read over pages, and the service that it was read of. */
interface PagedList {
  readonly subject: Subject;
  readonly recorded: Recorded;
  readonly pages: RecordedPages;
}

/** What came of a list in another size; null where its requests were not recorded. */
interface Tried {
  readonly issues: readonly KitIssue[] | null;
}

/** All items of all recorded pages come out whatever page they stand on, and lists of 0 and 1 items are lists. */
export async function checkPageSizes(subject: Subject, recorded: readonly Recorded[]): Promise<KitCheck> {
  const lists = await pagedLists(subject, recorded);
  if (lists.length === 0) return notApplicable(NAME, 'no list was recorded over two pages that could be recognised');
  const all = (await Promise.all(lists.map(trySizes))).flat();
  const tried = all.filter(({ issues }) => issues !== null).length;
  if (tried === 0) return notApplicable(NAME, 'lists of other sizes ask what was not recorded');
  return { tier: 'gold', name: NAME, tried, issues: condense(all.flatMap(({ issues }) => issues ?? [])) };
}

async function pagedLists(subject: Subject, recorded: readonly Recorded[]): Promise<PagedList[]> {
  const usual = recorded.map((one) => ({ subject, recorded: one }));
  const situations = (await playSituations(subject)).map(({ situation, recorded: one }) => ({
    subject: inSituation(subject, situation),
    recorded: one,
  }));
  const runs = [...usual, ...situations].filter(
    (run) => LISTS.includes(run.recorded.operation.name) && run.recorded.played.outcome.ok,
  );
  return runs.flatMap((run) => recordedPages(run.recorded).map((pages) => ({ ...run, pages })));
}

function trySizes(list: PagedList): Promise<Tried[]> {
  const { items } = list.pages;
  return Promise.all([[], items.slice(0, 1), items].map((some) => trySize(list, some)));
}

async function trySize({ subject, recorded, pages }: PagedList, items: readonly Json[]): Promise<Tried> {
  const { operation, played } = recorded;
  const exchanges = withItems(subject.fixture.exchanges ?? [], pages, items);
  const there = { ...subject, fixture: { ...subject.fixture, exchanges } };
  const again = await play(there, operation);
  if (again.seen.some(({ exchange }) => exchange === null)) return { issues: null };
  const [page] = pages.pages;
  const where = `${operation.name}, where ${page?.request.path} lists ${items.length} of its ${pages.items.length} items on one page`;
  if (!again.outcome.ok) {
    const fix = 'Make no difference between a list that is long, short or empty.';
    return { issues: [{ what: `${operation.name} ${describeOutcome(again)} when a list is short`, where, fix }] };
  }
  const [whole, some] = [recordsOf(played), recordsOf(again)];
  const strange = without(some, whole);
  const lost = items.length === pages.items.length ? without(whole, some) : [];
  const [example] = [...strange, ...lost];
  if (example === undefined) return { issues: [] };
  const what = `${operation.name} gives other records when the same items come in other pages: ${strange.length} are new, ${lost.length} are gone, the first is ${example.slice(0, LONGEST)}`;
  return {
    issues: [
      { what, where, fix: 'Take every item of every page, each as it is, whatever stands before and after it.' },
    ],
  };
}

const LONGEST = 200;

/** What came out, without the cursors: there are fewer where there are fewer pages. */
function recordsOf(played: Played): string[] {
  const result = played.outcome.ok ? resultOf(played.outcome.value, played) : [];
  if (!Array.isArray(result)) return [];
  return result
    .filter((record) => Reflect.get(Object(record), 'kind') !== 'cursor')
    .map((record) => JSON.stringify(record));
}
