import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { connectedGitea, giteaCard } from '../../../testing/browser/connector-cards.ts';
import { ConfettiStore } from '../data/connectors.store.ts';
import { ConnectorConfetti } from './connector-confetti.tsx';

const WORDS = 'Gitea is connected for the first time.';

const prefersStill = (isStill: boolean) =>
  vi.spyOn(window, 'matchMedia').mockImplementation((query) => {
    const list = new EventTarget();
    return Object.assign(list, { matches: isStill && query.includes('reduced-motion') }) as unknown as MediaQueryList;
  });

const connect = () => {
  const store = new ConfettiStore();
  render(<ConnectorConfetti store={store} />);
  act(() => store.notice(giteaCard().attributes, connectedGitea().attributes));
  return store;
};

beforeEach(() => {
  // happy-dom draws nothing: every stroke goes nowhere.
  const nowhere = new Proxy({}, { get: () => () => undefined });
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(nowhere as CanvasRenderingContext2D);
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  for (const canvas of document.querySelectorAll('canvas')) canvas.remove();
});

it('celebrates over the page, and says so', async () => {
  prefersStill(false);
  connect();
  expect(screen.getByText(WORDS)).toBeDefined();
  await waitFor(() => expect(document.querySelector('canvas.confetti')).not.toBeNull());
  expect(document.querySelector('canvas.confetti')?.getAttribute('aria-hidden')).toBe('true');
});

it('ends with the page that began it', async () => {
  prefersStill(false);
  connect();
  await waitFor(() => expect(document.querySelector('canvas.confetti')).not.toBeNull());
  cleanup();
  expect(document.querySelector('canvas.confetti')).toBeNull();
});

it('only says so where the browser draws on no canvas', async () => {
  prefersStill(false);
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(null);
  connect();
  await act(async () => {
    await import('./throw-confetti.ts');
  });
  expect(screen.getByText(WORDS)).toBeDefined();
  expect(document.querySelector('canvas.confetti')).toBeNull();
});

it('only says so to those who ask for no motion', async () => {
  prefersStill(true);
  connect();
  expect(screen.getByText(WORDS)).toBeDefined();
  await act(async () => {
    await import('./throw-confetti.ts');
  });
  expect(document.querySelector('canvas.confetti')).toBeNull();
});

it('does it once for a connector', () => {
  prefersStill(true);
  const store = connect();
  act(() => store.end());
  act(() => store.notice(giteaCard().attributes, connectedGitea().attributes));
  expect(store.show).toBe(false);
  expect(screen.queryByText(WORDS)).toBeNull();
});
