import type { ChildEntry, RouteEntry } from '@breakwater/core/shell/ui/routing/route-entry.ts';
import { expect, test } from 'vitest';
import { ERROR_PAGES, PAGES, pageStatus, QUERY_PAGES } from '../../host-server/src/http/pages.ts';
import { routeTable } from './slices.ts';

const join = (parent: string, child: string): string =>
  child === '' ? parent : `${parent.replace(/\/$/, '')}/${child}`;

const childPaths = (parent: string, children: readonly ChildEntry[] = []): string[] =>
  children.flatMap((child) => {
    const path = join(parent, child.path);
    return [path, ...childPaths(path, child.children)];
  });

const pathsOf = (route: RouteEntry): string[] =>
  'error' in route ? [] : [route.path, ...childPaths(route.path, route.children)];

test('the server knows the pages of the browser, and no others', () => {
  const inBrowser = [...new Set(routeTable.flatMap(pathsOf))].sort();
  expect([...PAGES].sort()).toEqual(inBrowser);
});

test('the server knows the pages that always fail', () => {
  const failing = routeTable.flatMap((route) => ('error' in route ? [[route.path, route.error.status]] : []));
  expect(ERROR_PAGES).toEqual(Object.fromEntries(failing));
});

const QUERY_GUARD = /^requiresQuery\((\w+)\)$/;

test('the server knows which pages need a query', () => {
  const inBrowser = routeTable.flatMap((route) =>
    'error' in route
      ? []
      : (route.guards ?? []).flatMap(({ name }) => {
          const parameter = QUERY_GUARD.exec(name)?.[1];
          return parameter === undefined ? [] : [[route.path, parameter]];
        }),
  );
  expect(Object.entries(QUERY_PAGES).map(([path, { parameter }]) => [path, parameter])).toEqual(inBrowser);
});

test.each([
  ['', 403],
  ['source_control=', 403],
  ['source_control=github', 200],
  ['other=github', 403],
])('/connector?%s is %i', (query, status) => {
  expect(pageStatus('/connector', new URLSearchParams(query))).toBe(status);
  expect(pageStatus('/connector/', new URLSearchParams(query))).toBe(status);
});

test.each([
  ['/', 200],
  ['/findings/', 200],
  ['/repositories', 200],
  ['/connector/providers', 200],
  ['/connector/tools', 200],
  ['/findings/finding-details/0192f000-0000-7000-8000-000000000001', 200],
  ['/sbom-findings/detail/7', 404],
  ['/nothing', 404],
  ['/findings/nothing/here', 404],
])('%s is %i', (path, status) => {
  expect(pageStatus(path)).toBe(status);
});
