import { expect, it } from 'vitest';
import { type Scope, ScopeStore, scopedPath } from '../../../shell/ui/navigation/scope.store.ts';
import { memoryStorage } from '../../../testing/browser/shell-scene.tsx';
import { addressIn, isInScope } from './scoped-address.ts';

const LISTS = { repository: 'repository', tag: 'tags', isJoined: true };
const ENTRIES = [
  { path: '/', scopeParameters: LISTS },
  { path: '/findings', alsoScoped: ['/findings/all'], scopeParameters: LISTS },
  { path: '/Repositories', scopeParameters: { tag: 'tag' } },
  { path: '/sbom-findings', scopeParameters: LISTS },
];
const HARBOUR: Scope = { kind: 'repository', value: 'r-1', label: 'harbour' };
const PAYMENTS: Scope = { kind: 'tag', value: 'pay, 100%', label: 'pay, 100%' };
const at = (address: string) => {
  const { pathname, search } = new URL(address, 'http://localhost');
  return { pathname, search };
};

it.each([
  // a list keeps its other filters, and begins at its first page
  ['/findings?severity=high&repository=r-2&page=3', HARBOUR, '/findings?severity=high&repository=r-1'],
  ['/findings/all?tags=old', HARBOUR, '/findings/all?repository=r-1'],
  ['/findings?repository=r-1&severity=high', undefined, '/findings?severity=high'],
  ['/findings?repository=r-1', undefined, '/findings'],
  ['/Repositories', PAYMENTS, '/Repositories?tag=pay%2C+100%25'],
  // figures are narrowed as lists are
  ['/?period=30d', HARBOUR, '/?period=30d&repository=r-1'],
  // what knows no scope of the kind leads to what is there of it
  ['/Repositories', HARBOUR, '/Repositories/r-1'],
  // other pages stay
  ['/', undefined, '/'],
  ['/settings/team', HARBOUR, undefined],
  ['/findings/finding-details/f-1?repository=r-2', HARBOUR, undefined],
])('%s in another scope', (address, scope, expected) => {
  expect(addressIn(at(address), scope, ENTRIES)).toBe(expected);
});

it('a tag with a comma comes back from the address as the findings read it', () => {
  const address = addressIn(at('/'), PAYMENTS, ENTRIES) ?? '';
  expect(new URL(address, 'http://localhost').searchParams.get('tags')).toBe('pay%2C 100%25');
  expect(isInScope(at(address), PAYMENTS, ENTRIES)).toBe(true);
});

it('a list whose address lost the scope has left it; a page that is no list has not', () => {
  expect(isInScope(at('/findings?severity=high'), HARBOUR, ENTRIES)).toBe(false);
  expect(isInScope(at('/findings?repository=r-1,r-2'), HARBOUR, ENTRIES)).toBe(false);
  expect(isInScope(at('/sbom-findings?repository=r-1'), HARBOUR, ENTRIES)).toBe(true);
  expect(isInScope(at('/settings'), HARBOUR, ENTRIES)).toBeUndefined();
  expect(isInScope(at('/Repositories'), HARBOUR, ENTRIES)).toBeUndefined();
});

it('items of the rail carry the scope where their page knows one of its kind', () => {
  expect(scopedPath('/findings', LISTS, HARBOUR)).toBe('/findings?repository=r-1');
  expect(scopedPath('/Repositories', { tag: 'tag' }, HARBOUR)).toBe('/Repositories');
  expect(scopedPath('/settings', undefined, HARBOUR)).toBe('/settings');
  expect(scopedPath('/findings', LISTS, undefined)).toBe('/findings');
});

it('a new page of the tab has the scope again; what stands there instead of one is none', () => {
  const storage = memoryStorage();
  new ScopeStore(storage).choose(HARBOUR);
  const store = new ScopeStore(storage);
  expect(store.current).toEqual(HARBOUR);
  store.clear();
  expect(new ScopeStore(storage).current).toBeUndefined();
  for (const text of ['{', '[]', 'null', '{"kind":"planet","value":"x","label":"x"}']) {
    storage.setItem('breakwater.scope', text);
    expect(new ScopeStore(storage).current, text).toBeUndefined();
  }
});
