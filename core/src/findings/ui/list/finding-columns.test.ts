import { describe, expect, it, vi } from 'vitest';
import { fakeHttp } from '../../../testing/browser/fake-http.ts';
import { DEFAULT_COLUMNS } from '../../model/column-catalogue.ts';
import { FindingColumns } from './finding-columns.ts';

const keys = (columns: { key: string }[]) => columns.map(({ key }) => key);
const column = (key: string, width: number | null = null) => ({ key, label: key, sort: null, index: 0, width });

/** A server that keeps columns for one person. */
const person = (selected: readonly string[] = DEFAULT_COLUMNS, widths: Record<string, number> = {}) => {
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
  const columns = new FindingColumns(http.api, (error) => problems.push(error));
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
    const columns = new FindingColumns(fakeHttp({}).api, (error) => problems.push(error));
    await columns.load();
    expect([columns.isDefault, columns.isSettled]).toEqual([true, true]);
    expect(problems).toHaveLength(1);
  });

  it('give way on small screens, unless somebody chose them', () => {
    const { columns } = person();
    const withoutType = DEFAULT_COLUMNS.filter((key) => key !== 'type');
    expect(keys(columns.fitting(1700))).toEqual(DEFAULT_COLUMNS);
    // 1440 and 1280 px wide, with open work only
    expect(keys(columns.fitting(1232, ['status']))).toEqual(withoutType.filter((key) => key !== 'status'));
    expect(keys(columns.fitting(1072, ['status']))).toEqual(['priority', 'severity', 'title', 'signals', 'first_seen']);
    expect(keys(columns.fitting(716, ['status']))).toEqual(['priority', 'severity', 'title', 'first_seen']);
    expect(keys(columns.besidePanel(false))).toEqual(['priority', 'severity', 'title', 'signals']);
    expect(keys(columns.besidePanel(true))).toEqual(['priority', 'severity', 'title']);
    columns.toggle('repository');
    expect(keys(columns.fitting('block'))).toEqual(['priority', 'severity', 'title', 'signals']);
    expect(keys(columns.fitting(716))).toContain('tool');
    expect(keys(columns.fitting(716, ['tool']))).not.toContain('tool');
    columns.flush();
  });
});
