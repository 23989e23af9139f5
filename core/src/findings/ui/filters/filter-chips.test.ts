import { describe, expect, it } from 'vitest';
import { defaultView, parseView } from '../data/finding-view.ts';
import { filterChips, isFiltered, lastChosen, withoutFilter, withoutFilters } from './filter-chips.ts';
import { selectedValues, toggleOpen, toggleValue, withVisibility } from './filter-facets.ts';

const naming = (key: string, value: string) =>
  key === 'repository' ? 'juice-shop' : key === 'cwe' ? `CWE-${value}` : value;
const REPOSITORY = '0191c2e0-7b1a-7000-8000-000000000001';

describe('chips', () => {
  it('names the filters of open work as one, and every other by itself', () => {
    expect(filterChips(defaultView('open'), naming).map(({ label, value }) => `${label} ${value}`)).toEqual([
      ' Open work',
    ]);
    const duplicates = parseView(new URLSearchParams('is_duplicate=show'), 'open');
    expect(filterChips(duplicates, naming).map(({ label, value }) => `${label} ${value}`)).toEqual([
      'Status open',
      'False positives hidden',
      'Accepted risk hidden',
    ]);
    expect(withoutFilter(parseView(new URLSearchParams('severity=high'), 'open'), 'open_work').filters).toEqual({
      severity: ['high'],
    });
  });

  it('names values as people read them, and shortens long lists', () => {
    const query = `severity=high,critical&repository=${REPOSITORY}&cwe=1,2,3,4,5&status=all&kev=only&search=login`;
    const view = parseView(new URLSearchParams(query), 'all');
    expect(filterChips(view, naming).map(({ label, value }) => `${label} ${value}`)).toEqual([
      'Severity critical, high',
      'Repository juice-shop',
      'CWE CWE-1, CWE-2, CWE-3 and 2 more',
      'Known exploited only',
      'Search login',
    ]);
  });

  it.each([
    ['enriched', 'open (not reopened)'],
    ['enriched,ready', 'open (not reopened), ready to fix'],
    ['enriched,reopened', 'open, open (reopened)'],
  ])('says of status=%s that it is not all that is open', (status, value) => {
    const view = parseView(new URLSearchParams(`status=${status}`), 'all');
    expect(filterChips(view, () => undefined).find(({ key }) => key === 'status')?.value).toBe(value);
  });

  it('takes one filter away and leaves the others', () => {
    const view = parseView(new URLSearchParams('severity=high&search=x'), 'open');
    expect(withoutFilter(view, 'severity')).toEqual({ ...defaultView('open'), search: 'x' });
    expect(withoutFilter(view, 'search').search).toBe('');
    expect(withoutFilters(view, 'open')).toEqual(defaultView('open'));
    expect(filterChips(withoutFilters(view, 'all'), naming)).toEqual([]);
  });

  it('knows whether there is anything to clear', () => {
    const shown = (query: string) => parseView(new URLSearchParams(query), 'open');
    expect(isFiltered(shown('sort_field=severity&group=file'), 'open')).toBe(false);
    for (const query of ['severity=high', 'search=x', 'status=all', 'is_duplicate=show']) {
      expect([query, isFiltered(shown(query), 'open')]).toEqual([query, true]);
    }
  });
});

describe('the filter to give up first', () => {
  it('is the last that somebody chose, not one that every list begins with', () => {
    const view = parseView(new URLSearchParams('severity=low&cve=CVE-2023-44487'), 'open');
    expect(lastChosen(view, filterChips(view, naming))?.value).toBe('CVE-2023-44487');
  });

  it('is the last of the usual ones where nobody chose any', () => {
    const view = defaultView('open');
    expect(lastChosen(view, filterChips(view, naming))?.value).toBe('Open work');
  });
});

describe('options of the filter menu', () => {
  it('adds a value and takes it away again', () => {
    const once = toggleValue({}, 'severity', 'high');
    expect(once).toEqual({ severity: ['high'] });
    expect(toggleValue(once, 'severity', 'high')).toEqual({});
    expect(selectedValues({ cwe: [79] }, 'cwe')).toEqual(['79']);
    expect(toggleValue({}, 'cwe', '79')).toEqual({ cwe: [79] });
    expect(toggleValue({}, 'tool', 'grype')).toEqual({ tool: ['grype'] });
  });

  it('changes nothing for a value the filter cannot have', () => {
    expect(toggleValue({}, 'severity', 'awful')).toEqual({});
    expect(toggleValue({}, 'cwe', 'x')).toEqual({});
  });

  it('turns all open statuses on and off together', () => {
    const { status } = defaultView('open').filters;
    expect(toggleOpen({})).toEqual({ status });
    expect(toggleOpen(toggleOpen({}))).toEqual({});
  });

  it('shows hidden verdicts to who asks for those that wait to be confirmed', () => {
    const { filters } = defaultView('open');
    const waiting = withVisibility(filters, 'needs_confirmation', 'only');
    expect(waiting).toMatchObject({ needs_confirmation: 'only', is_duplicate: 'hide' });
    expect(waiting).not.toHaveProperty('false_positive');
    expect(waiting).not.toHaveProperty('accepted_risk');
    expect(withVisibility(waiting, 'needs_confirmation', 'show')).not.toHaveProperty('needs_confirmation');
    expect(withVisibility(filters, 'is_duplicate', 'only')).toEqual({ ...filters, is_duplicate: 'only' });
  });
});
