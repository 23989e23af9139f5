import { cleanup, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, it } from 'vitest';
import { UNSAVED_TEXTS } from '../../../platform/ui/feedback/unsaved-texts.ts';
import { createScene, memoryStorage, pageOf, SESSION_ANSWER } from '../../../testing/browser/shell-scene.tsx';
import type { RouteEntry } from '../routing/route-entry.ts';

afterEach(cleanup);

const ENTRIES: readonly RouteEntry[] = [
  { path: '/', layout: 'home', title: 'Dashboard', load: pageOf('The dashboard') },
];

const open = async (storage: ReturnType<typeof memoryStorage>) => {
  const scene = createScene({
    answers: { 'GET /setup': () => ({ data: { needed: false } }), 'GET /session': () => SESSION_ANSWER },
    entries: ENTRIES,
    storage,
  });
  scene.show('/');
  await screen.findByRole('heading', { name: 'The dashboard' });
  return scene;
};

it('shows who signs in again what was not saved when the session ended, with the text, until it was seen', async () => {
  const storage = memoryStorage();
  const first = await open(storage);
  const text = 'Only reachable from the office';
  const what = 'Mark 1 finding false positive';
  first.services.get(UNSAVED_TEXTS).watch(() => ({ what, text }));
  first.session.handleUnauthorized();
  expect(first.reloads()).toBe(1);
  cleanup();

  await open(storage);
  expect(await screen.findByRole('dialog', { name: 'Not saved when your session ended' })).toBeDefined();
  expect(screen.getByText(what)).toBeDefined();
  expect(screen.getByText(text)).toBeDefined();
  expect(screen.getByRole('link', { name: 'Go to the page' }).getAttribute('href')).toBe('/findings?severity=high');
  await userEvent.click(screen.getByRole('button', { name: 'Done' }));
  await waitFor(() => expect(screen.queryByText(text)).toBeNull());
  cleanup();

  const last = await open(storage);
  expect(last.services.get(UNSAVED_TEXTS).left).toEqual([]);
});
