import { expect, it } from 'vitest';
import type { Scope } from '../../../shell/ui/navigation/scope.store.ts';
import { defaultView, type Filters, type FindingView } from '../data/finding-view.ts';
import { inScope, withoutScope } from './scoped-view.ts';

const viewOf = (filters: Filters): FindingView => ({ ...defaultView('all'), filters });
const HARBOUR: Scope = { kind: 'repository', value: 'r-1', label: 'harbour' };
const PAYMENTS: Scope = { kind: 'tag', value: 'payments', label: 'payments' };

it('a view is shown in the scope, unless it names repositories or tags itself', () => {
  expect(inScope(viewOf({ kev: 'only' }), HARBOUR).filters).toEqual({ kev: 'only', repository: ['r-1'] });
  expect(inScope(viewOf({}), PAYMENTS).filters).toEqual({ repository_tag: ['payments'] });
  expect(inScope(viewOf({}), undefined).filters).toEqual({});
  for (const filters of [{ repository: ['r-2'] }, { repository_tag: ['web'] }])
    for (const scope of [HARBOUR, PAYMENTS]) expect(inScope(viewOf(filters), scope).filters).toEqual(filters);
});

it('a view is saved without the scope', () => {
  expect(withoutScope(viewOf({ kev: 'only', repository: ['r-1'] }), HARBOUR, undefined).filters).toEqual({
    kev: 'only',
  });
  expect(withoutScope(viewOf({ repository_tag: ['payments'] }), PAYMENTS, viewOf({})).filters).toEqual({});
});

it('a repository that was chosen besides, or that the active view names, is part of what is saved', () => {
  const both = { repository: ['r-1', 'r-2'] };
  expect(withoutScope(viewOf(both), HARBOUR, undefined).filters).toEqual(both);
  expect(withoutScope(viewOf(both), undefined, undefined).filters).toEqual(both);
  const own = { repository: ['r-1'] };
  expect(withoutScope(viewOf(own), HARBOUR, viewOf(own)).filters).toEqual(own);
});
