import { FINDING_TYPES, SEVERITIES } from '@breakwater/sdk';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { propertyRuns } from '../../../testing/property-runs.ts';
import { SORT_FIELDS } from '../../api/routes.ts';
import { FINDING_STATUSES, OPEN_STATUSES, VISIBILITIES } from '../../model/states.ts';
import {
  defaultView,
  type Filters,
  type FindingView,
  findingsHref,
  formatView,
  parseView,
  scopeFilters,
  type ViewBase,
  viewHref,
} from './finding-view.ts';

const parse = (query: string, base: ViewBase = 'open') => parseView(new URLSearchParams(query), base);

const word = fc.string({ minLength: 1, maxLength: 20 }).filter((text) => text.trim() === text && text !== '');
const subset = <T extends string>(all: readonly T[]) =>
  fc.subarray([...all], { minLength: 1 }).map((chosen) => all.filter((one) => chosen.includes(one)));
const words = fc.uniqueArray(word, { minLength: 1, maxLength: 4 });
const visibility = fc.constantFrom(...VISIBILITIES.filter((one) => one !== 'show'));
const day = fc
  .date({ min: new Date('2000-01-01'), max: new Date('2099-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));

const filters: fc.Arbitrary<Filters> = fc.record(
  {
    severity: subset(SEVERITIES),
    status: subset(FINDING_STATUSES),
    type: subset(FINDING_TYPES),
    category: words,
    tool: words,
    cve: words,
    owasp: words,
    language: words,
    file: words,
    component: words,
    repository: fc.uniqueArray(fc.uuid(), { minLength: 1, maxLength: 3 }),
    issue_owner: fc.uniqueArray(fc.uuid(), { minLength: 1, maxLength: 3 }),
    cwe: fc.uniqueArray(fc.integer({ min: 1, max: 100_000 }), { minLength: 1, maxLength: 4 }),
    cvssv3_score_gt: fc.integer({ min: 1, max: 100 }).map((value) => value / 10),
    cvssv3_score_lt: fc.integer({ min: 0, max: 99 }).map((value) => value / 10),
    priority_gt: fc.integer({ min: 1, max: 100 }),
    priority_lt: fc.integer({ min: 0, max: 99 }),
    fixing_effort_gt: fc.integer({ min: 1, max: 100 }),
    fixing_effort_lt: fc.integer({ min: 0, max: 99 }),
    date_gt: day,
    date_lt: day,
    kev: fc.constantFrom('only' as const, 'hide' as const),
    false_positive: visibility,
    accepted_risk: visibility,
    is_duplicate: visibility,
    is_subfinding: visibility,
    needs_confirmation: visibility,
  },
  { requiredKeys: [] },
);

const view: fc.Arbitrary<FindingView> = fc.record({
  filters,
  search: fc.string({ maxLength: 40 }).map((text) => text.trim()),
  sortField: fc.constantFrom(...SORT_FIELDS),
  sort: fc.constantFrom('asc' as const, 'desc' as const),
});

describe('a view in the address', () => {
  it.each(['open', 'all'] as const)('comes back as it went in, whatever it is (%s)', (base) => {
    fc.assert(
      fc.property(view, (wanted) => {
        const address = formatView(wanted, base).toString();
        expect(parseView(new URLSearchParams(address), base)).toEqual(wanted);
      }),
      { numRuns: propertyRuns(100) },
    );
  });

  it('never throws and always means a view that is written the same again, whatever stands in the address', () => {
    const key = fc.constantFrom(
      'severity',
      'status',
      'cwe',
      'repository',
      'priority_gt',
      'date_gt',
      'kev',
      'sort',
      'x',
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(key, fc.string({ maxLength: 30 }))), (pairs) => {
        const read = parseView(new URLSearchParams(pairs), 'open');
        expect(parseView(formatView(read, 'open'), 'open')).toEqual(read);
      }),
      { numRuns: propertyRuns(100) },
    );
  });

  it('shows the work to do when the address says nothing', () => {
    expect(parse('')).toEqual({
      filters: { status: [...OPEN_STATUSES], false_positive: 'hide', accepted_risk: 'hide', is_duplicate: 'hide' },
      search: '',
      sortField: 'priority',
      sort: 'desc',
    });
    expect(viewHref(defaultView('open'), 'open')).toBe('/findings');
  });

  it('hides nothing on /findings/all', () => {
    expect(parse('', 'all').filters).toEqual({});
    expect(viewHref(defaultView('all'), 'all')).toBe('/findings/all');
  });

  it('says in the address that a default was taken away', () => {
    const { filters: open, ...rest } = defaultView('open');
    const { status: _status, false_positive: _hidden, ...others } = open;
    expect(viewHref({ ...rest, filters: others }, 'open')).toBe('/findings?status=all&false_positive=show');
    expect(parse('status=all&false_positive=show').filters).toEqual({ accepted_risk: 'hide', is_duplicate: 'hide' });
  });

  it('is readable', () => {
    expect(findingsHref()).toBe('/findings?status=open');
    expect(parseView(new URLSearchParams('status=open'), 'open')).toEqual(defaultView('open'));
    expect(findingsHref({ severity: ['critical', 'high'] }, 'login')).toBe(
      '/findings?search=login&severity=critical%2Chigh',
    );
  });

  it('leaves out what the full range of a slider means', () => {
    expect(parse('priority_gt=0&priority_lt=100&cvssv3_score_gt=0&cvssv3_score_lt=10')).toEqual(defaultView('open'));
  });

  it('ignores values that the filter does not know', () => {
    expect(parse('severity=awful,high&cwe=x,79&repository=1&kev=maybe&date_gt=2026-99-99').filters).toEqual({
      ...defaultView('open').filters,
      severity: ['high'],
      cwe: [79],
    });
  });
});

describe('scopeFilters', () => {
  it('keeps which rows count at all, and drops those that pick among them', () => {
    const picked: Filters = { ...defaultView('open').filters, severity: ['high'], cwe: [79], kev: 'only' };
    expect(scopeFilters(picked)).toEqual(defaultView('open').filters);
  });
});

describe('lists of one kind of findings', () => {
  it('begin with their types, which the address can take away or change', () => {
    expect(parseView(new URLSearchParams(''), 'cloud').filters.type).toEqual(['Cloud']);
    expect(parseView(new URLSearchParams(''), 'scm').filters.type).toEqual(['CI/CD', 'Supply chain']);
    expect(parseView(new URLSearchParams('type=all'), 'scm').filters.type).toBeUndefined();
    expect(parseView(new URLSearchParams('type=IaC'), 'cloud').filters.type).toEqual(['IaC']);
    for (const base of ['open', 'scm', 'cloud', 'all'] as const) {
      expect(formatView(defaultView(base), base).toString()).toBe('');
      for (const query of ['type=IaC', 'status=all', 'type=all&status=all&false_positive=show']) {
        const view = parseView(new URLSearchParams(query), base);
        expect(parseView(formatView(view, base), base)).toEqual(view);
      }
    }
  });
});
