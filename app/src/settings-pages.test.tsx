import { settingsPages } from '@breakwater/core/shell/ui/settings/all-pages.ts';
import { expect, test } from 'vitest';
import { routeTable } from './slices.ts';

const guardsOf = (path: string): string[] | undefined => {
  const route = routeTable.find((one) => 'path' in one && one.path === path);
  if (route === undefined || 'error' in route) return undefined;
  return (route.guards ?? []).map(({ name }) => name).filter((name) => name.startsWith('requires('));
};

test('every page of settings is listed once, to those who may open it', () => {
  const own = routeTable.flatMap((route) =>
    'path' in route && route.path.startsWith('/settings/') ? [route.path] : [],
  );
  const listed = settingsPages.map(({ path }) => path);
  expect(own.filter((path) => !listed.includes(path))).toEqual([]);
  expect(new Set(listed).size).toBe(listed.length);
  for (const { path, permission } of settingsPages)
    expect(guardsOf(path), path).toEqual(permission === undefined ? [] : [`requires(${permission})`]);
});
