import { expect, test } from 'vitest';
import { SHOWN_FINDING } from '../../testing/browser/shown-finding.ts';
import { COLUMN_KEYS, DEFAULT_COLUMNS } from './column-catalogue.ts';
import type { FindingFilters } from './filter-catalogue.ts';
import { quietColumns } from './quiet-columns.ts';
import { OPEN_STATUSES } from './states.ts';

const OPEN: FindingFilters = {
  status: [...OPEN_STATUSES],
  false_positive: 'hide',
  accepted_risk: 'hide',
  is_duplicate: 'hide',
};
const { row } = SHOWN_FINDING;

const quiet = (...[keys, filters, known]: Parameters<typeof quietColumns>) =>
  Object.fromEntries(quietColumns(keys, filters, known).map(({ key, text }) => [key, text]));

test('a column steps back where its filter leaves one value', () => {
  const keys = ['repository', 'tool', 'type', 'status'] as const;
  expect(quiet(keys, {})).toEqual({});
  expect(quiet(keys, { tool: ['trivy'], type: ['SCA', 'SAST'], repository: ['r'] })).toEqual({
    repository: undefined,
    tool: undefined,
  });
  expect(quiet(keys, OPEN)).toEqual({ status: undefined });
  expect(quiet(keys, { ...OPEN, is_duplicate: 'show' })).toEqual({});
  expect(quiet(keys, { ...OPEN, status: ['enriched'] })).toEqual({});
});

test('it steps back where all rows are known to say the same, which is told', () => {
  const sole = new Map([['tool', 'Trivy'] as const]);
  expect(quiet(DEFAULT_COLUMNS, {}, { sole })).toEqual({ tool: 'Trivy' });
  expect(quiet(['priority', 'title', 'type'], {}, { sole })).toEqual({});
  const other = { ...row, tool: 'grype', start_line: 9, first_seen: '2026-11-21T10:00:00Z' };
  expect(quiet(DEFAULT_COLUMNS, {}, { rows: [row, other] })).toEqual({ type: 'SAST', signals: '', status: 'Open' });
  expect(quiet(['tool', 'cve', 'start_line'], {}, { rows: [row, other], sole })).toEqual({ cve: '' });
  expect(quiet(['signals'], {}, { rows: [row, { ...row, kev: true }] })).toEqual({});
});

test('priority, severity and title stay, and so do the order of the list and a single row', () => {
  const rows = [row, row];
  const all = Object.keys(quiet(COLUMN_KEYS, {}, { rows }));
  expect(COLUMN_KEYS.filter((key) => !all.includes(key))).toEqual(['priority', 'severity', 'title', '_id']);
  expect(quiet(['tool', 'first_seen'], {}, { rows })).toEqual({ tool: 'OpenGrep', first_seen: undefined });
  expect(quiet(['tool', 'type'], {}, { rows, sortedBy: 'tool' })).toEqual({ type: 'SAST' });
  expect(quiet(COLUMN_KEYS, {}, { rows: [row] })).toEqual({});
  // what a longer list before it said changes nothing: after a reload nobody asks
  expect(quiet(COLUMN_KEYS, {}, { rows: [row], sole: new Map([['type', 'SAST'] as const]) })).toEqual({});
});
