import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatRepositoryView, parseRepositoryView } from '../../../repositories/ui/repositories.store.ts';
import { COMPONENT_SORT_FIELDS } from '../../api/routes.ts';
import { LICENSE_CLASSES } from '../../model/license-classes.ts';
import { type ComponentView, formatComponentView, parseComponentView, sortedBy } from './component-view.ts';

const word = fc.stringMatching(/^[a-z0-9.-]{1,12}$/);
const sort = fc.constantFrom('asc' as const, 'desc' as const);

describe('the view of the components in the address', () => {
  it('comes back as it went in', () => {
    const view: fc.Arbitrary<ComponentView> = fc.record({
      search: fc.string({ maxLength: 30 }).map((text) => text.trim()),
      isVulnerableOnly: fc.boolean(),
      ecosystem: fc.uniqueArray(word, { maxLength: 3 }),
      license: fc.uniqueArray(fc.string({ minLength: 1, maxLength: 12 }), { maxLength: 3 }),
      licenseClass: fc.subarray([...LICENSE_CLASSES]),
      repository: fc.uniqueArray(fc.uuid(), { maxLength: 2 }),
      repositoryTag: fc.uniqueArray(fc.string({ minLength: 1, maxLength: 12 }), { maxLength: 3 }),
      sortField: fc.constantFrom(...COMPONENT_SORT_FIELDS),
      sort,
    });
    fc.assert(
      fc.property(view, (wanted) => {
        expect(parseComponentView(new URLSearchParams(formatComponentView(wanted).toString()))).toEqual(wanted);
      }),
    );
  });

  it('shows the worst first when the address says nothing, and says nothing about it', () => {
    const view = parseComponentView(new URLSearchParams());
    expect([view.sortField, view.sort]).toEqual(['findings', 'desc']);
    expect(formatComponentView(view).toString()).toBe('');
  });

  it('sorts by a header in its natural order first, then the other way round', () => {
    const view = parseComponentView(new URLSearchParams());
    const byName = sortedBy(view, 'name');
    expect([byName.sortField, byName.sort]).toEqual(['name', 'asc']);
    expect(sortedBy(byName, 'name').sort).toBe('desc');
  });
});

describe('the view of the repositories in the address', () => {
  it('comes back as it went in, pages counted from 0', () => {
    const view = fc.record({
      search: fc.string({ maxLength: 30 }).map((text) => text.trim()),
      tags: fc.array(fc.string({ minLength: 1, maxLength: 30 })),
      owners: fc.array(fc.uuid()),
      page: fc.nat(500),
      sortField: fc.constantFrom('nickname' as const, 'owner' as const, 'last_scan' as const),
      sort,
    });
    fc.assert(
      fc.property(view, (wanted) => {
        expect(parseRepositoryView(new URLSearchParams(formatRepositoryView(wanted).toString()))).toEqual(wanted);
      }),
    );
    expect(parseRepositoryView(new URLSearchParams('page=-1&sort_field=x')).page).toBe(0);
  });
});
