import { can, rolesWith } from '@breakwater/core/platform/model/permissions.ts';
import { settingsPages } from '@breakwater/core/shell/ui/settings/all-pages.ts';
import { connectorAddress } from '@breakwater/sdk';
import { expect, test } from 'vitest';
import { routeTable } from './slices.ts';

const guardsOf = (path: string): string[] | undefined => {
  const route = routeTable.find((one) => 'path' in one && one.path === path.split('?')[0]);
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
  for (const { path, permission } of settingsPages.filter((page) => !page.path.includes('?')))
    expect(guardsOf(path), path).toEqual(permission === undefined ? [] : [`requires(${permission})`]);
});

test('a card of the catalogue is listed to those alone who may open its page', () => {
  const cards = settingsPages.filter(({ path }) => path.includes('?'));
  const addresses = [connectorAddress('webhook', 'Ticket webhook'), connectorAddress('miscellaneous', 'Plexalyzer')];
  expect(cards.map(({ path }) => new URLSearchParams(path.split('?')[1]).get('open'))).toEqual(addresses);
  for (const { path, permission = 'account.use' } of cards) {
    expect(guardsOf(path), path).toEqual(['requires(connectors.read)']);
    expect(rolesWith(permission).filter((role) => !can(role, 'connectors.read'))).toEqual([]);
  }
});
