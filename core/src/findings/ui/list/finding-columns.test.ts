import { observable } from 'mobx';
import { describe, expect, it, vi } from 'vitest';
import { fakeHttp } from '../../../testing/browser/fake-http.ts';
import { SHOWN_FINDING } from '../../../testing/browser/shown-finding.ts';
import { DEFAULT_COLUMNS } from '../../model/column-catalogue.ts';
import { defaultView } from '../data/finding-view.ts';
import { FindingColumns, type ListOfColumns } from './finding-columns.ts';

const keys = (columns: { key: string }[]) => columns.map(({ key }) => key);
const column = (key: string, width: number | null = null) => ({ key, label: key, sort: null, index: 0, width });

/** A list of everything with these rows. */
const listOf = (of: Partial<ListOfColumns> = {}): ListOfColumns => ({
  view: defaultView('all'),
  allRows: undefined,
  soleValues: observable.map(),
  ...of,
});
/** Open work only: every status is the same. */
const OPEN = listOf({ view: defaultView('open') });

/** A server that keeps columns for one person. */
const person = (
  selected: readonly string[] = DEFAULT_COLUMNS,
  widths: Record<string, number> = {},
  list: ListOfColumns = listOf(),
) => {
  const saved: unknown[] = [];
  const http = fakeHttp({
    'GET /findings-columns/selected': () => ({
      data: {
        default: [],
        selected: selected.map((key) => column(key)),
        available: Object.entries(widths).map(([key, width]) => column(key, width)),
      },
    }),
    'POST /findings-columns/save': ({ body }) => {
      saved.push(body);
      return { success: true, data: { default: [], selected: [], available: [] } };
    },
  });
  const problems: unknown[] = [];
  const columns = new FindingColumns(http.api, list, (error) => problems.push(error));
  return { columns, saved, problems, load: () => columns.load() };
};

describe('the columns of the list', () => {
  it('are those that the server keeps; changes are kept there once somebody stops', async () => {
    vi.useFakeTimers();
    const { columns, saved, load } = person(['title', 'priority', 'notes'], { notes: 300 });
    expect(columns.isSettled).toBe(false);
    await Promise.all([load(), load()]);
    expect(columns.isSettled).toBe(true);
    expect(columns.keys).toEqual(['title', 'priority', 'notes']);
    expect(columns.columns[2]).toMatchObject({ key: 'notes', track: '300px' });
    expect(columns.longFields).toEqual(['notes']);
    columns.toggle('category');
    columns.move('category', 0);
    columns.move('notes', 99);
    columns.resize('category', 10_000);
    columns.resize('notes', undefined);
    expect(saved).toEqual([]);
    await vi.runAllTimersAsync();
    expect(saved).toEqual([{ columns: ['category', 'title', 'priority', 'notes'], widths: { category: 900 } }]);
    columns.reset();
    columns.flush();
    await vi.runAllTimersAsync();
    expect(saved.at(-1)).toEqual({ columns: [], widths: {} });
    expect(columns.isDefault).toBe(true);
    vi.useRealTimers();
  });

  it('keep the two that a row needs, and what was changed before the answer came', async () => {
    const { columns, load } = person(['priority', 'title']);
    const loading = load();
    columns.toggle('priority');
    columns.toggle('title');
    columns.toggle('tool');
    await loading;
    expect(columns.keys).toEqual(DEFAULT_COLUMNS.filter((key) => key !== 'tool'));
  });

  it('are the usual ones where the server does not answer', async () => {
    const problems: unknown[] = [];
    const columns = new FindingColumns(fakeHttp({}).api, listOf(), (error) => problems.push(error));
    await columns.load();
    expect([columns.isDefault, columns.isSettled]).toEqual([true, true]);
    expect(problems).toHaveLength(1);
  });

  it('give way on small screens, unless somebody chose them', () => {
    const everything = person().columns;
    expect(keys(everything.fitting(1700))).toEqual(DEFAULT_COLUMNS);
    const { columns } = person(DEFAULT_COLUMNS, {}, OPEN);
    // 1440 and 1280 px wide
    expect(keys(columns.fitting(1232))).toEqual(DEFAULT_COLUMNS.filter((key) => key !== 'type' && key !== 'status'));
    expect(keys(columns.fitting(1072))).toEqual(['priority', 'severity', 'title', 'signals', 'first_seen']);
    expect(keys(columns.fitting(716))).toEqual(['priority', 'severity', 'title', 'first_seen']);
    expect(keys(columns.besidePanel(false))).toEqual(['priority', 'severity', 'title', 'signals']);
    expect(keys(columns.besidePanel(true))).toEqual(['priority', 'severity', 'title']);
    columns.toggle('repository');
    expect(keys(columns.fitting('block'))).toEqual(['priority', 'severity', 'title', 'signals']);
    expect(keys(columns.fitting(716))).toContain('tool');
    columns.flush();
  });

  it('step back while every row says the same, chosen or not', () => {
    const { row } = SHOWN_FINDING;
    const { columns } = person(DEFAULT_COLUMNS, {}, listOf({ allRows: [row, { ...row, tool: 'bandit' }] }));
    expect(keys(columns.fitting(1700))).toEqual(['priority', 'severity', 'title', 'tool']);
    columns.toggle('repository');
    columns.toggle('tool');
    expect(columns.quiet).toContainEqual({ key: 'repository', text: 'juice-shop' });
    expect(keys(columns.fitting(1700))).toEqual(['priority', 'severity', 'title']);
    columns.flush();
  });
});
