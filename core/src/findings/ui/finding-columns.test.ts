import { describe, expect, it } from 'vitest';
import { FindingColumns } from './finding-columns.ts';

const storage = (kept?: string) => {
  const values = new Map<string, string>(kept === undefined ? [] : [['bw-findings-columns', kept]]);
  return {
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => void values.set(key, value),
  };
};

const keys = (columns: { key: string }[]) => columns.map(({ key }) => key);

describe('the columns of the list', () => {
  it('are kept, in their own order, and the two that a row needs cannot go', () => {
    const kept = storage();
    const columns = new FindingColumns(kept);
    columns.toggle('category');
    columns.toggle('priority');
    columns.toggle('finding');
    expect(new FindingColumns(kept).keys).toEqual([
      'priority',
      'severity',
      'finding',
      'signals',
      'tool',
      'type',
      'category',
      'status',
      'age',
    ]);
    columns.reset();
    expect([columns.isDefault, new FindingColumns(kept).isDefault]).toEqual([true, true]);
  });

  it('are the usual ones where nothing sensible is kept, or nothing may be', () => {
    expect(new FindingColumns(storage('tool,nonsense')).isDefault).toBe(true);
    const forbidden = {
      getItem: () => {
        throw new Error('SecurityError');
      },
      setItem: () => {
        throw new Error('SecurityError');
      },
    };
    const columns = new FindingColumns(forbidden);
    columns.toggle('tool');
    expect(columns.keys).not.toContain('tool');
  });

  it('give way on small screens, unless somebody chose them', () => {
    const columns = new FindingColumns(storage());
    expect(keys(columns.fitting('medium'))).toEqual(['priority', 'severity', 'finding', 'signals', 'status', 'age']);
    expect(keys(columns.fitting('small'))).toEqual(['priority', 'severity', 'finding', 'status', 'age']);
    expect(keys(columns.besidePanel(false))).toEqual(['priority', 'severity', 'finding', 'signals']);
    expect(keys(columns.besidePanel(true))).toEqual(['priority', 'severity', 'finding']);
    columns.toggle('repository');
    expect(keys(columns.fitting('small'))).toContain('tool');
  });
});
