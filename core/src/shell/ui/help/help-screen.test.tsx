import { cleanup, screen, within } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { createScene, SESSION_ANSWER } from '../../../testing/browser/shell-scene.tsx';
import { routes } from '../settings/routes.tsx';

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

const open = async (role: string) => {
  vi.spyOn(window, 'scrollTo').mockImplementation(() => undefined);
  const user = { ...SESSION_ANSWER.data.user, role };
  const answers = {
    'GET /session': () => ({ data: { ...SESSION_ANSWER.data, user } }),
    'GET /setup': () => ({ data: { needed: false } }),
  };
  createScene({ answers, entries: routes }).show('/help');
  return screen.findByRole('region', { name: 'Guide' });
};

it('has every key of the list, and the steps with their pages', async () => {
  const guide = await open('admin');
  expect(within(guide).getByText('Decide what is noise')).toBeDefined();
  expect(within(guide).getByRole('link', { name: 'Prioritisation' }).getAttribute('href')).toBe(
    '/settings/prioritisation',
  );
  const keys = screen.getByRole('region', { name: 'Keys of the list' });
  expect((await within(keys).findByText('Take the last decision back')).previousSibling?.textContent).toBe('uCtrl Z');
});

it('leaves out what a role does not have', async () => {
  const guide = await open('developer');
  expect(within(guide).queryByText('Decide what is noise')).toBeNull();
  expect(within(guide).queryByRole('link', { name: 'Team' })).toBeNull();
});
