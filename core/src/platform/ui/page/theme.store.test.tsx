import { beforeEach, expect, test } from 'vitest';
import { memoryStorage } from '../../../testing/browser/shell-scene.tsx';
import { THEME_KEY, ThemeStore } from './theme.store.ts';

type Listener = (event: { matches: boolean }) => void;

const systemOf = (isDark: boolean) => {
  const listeners: Listener[] = [];
  return {
    matches: isDark,
    addEventListener: (_type: string, listener: unknown) => void listeners.push(listener as Listener),
    change: (matches: boolean) => {
      for (const listener of listeners) listener({ matches });
    },
  };
};

const root = document.documentElement;
const isShownDark = () => root.classList.contains('bp6-dark') && root.style.colorScheme === 'dark';

beforeEach(() => {
  root.className = '';
});

test('follows the system, live', () => {
  const system = systemOf(true);
  const theme = new ThemeStore({ storage: memoryStorage(), systemDark: system, root });
  expect(theme.preference).toBe('system');
  expect(isShownDark()).toBe(true);
  system.change(false);
  expect(isShownDark()).toBe(false);
});

test('a preference is kept and outweighs the system', () => {
  const storage = memoryStorage();
  const system = systemOf(true);
  new ThemeStore({ storage, systemDark: system, root }).setPreference('light');
  expect(isShownDark()).toBe(false);
  expect(storage.getItem(THEME_KEY)).toBe('light');
  const later = new ThemeStore({ storage, systemDark: systemOf(true), root });
  expect(later.preference).toBe('light');
  expect(isShownDark()).toBe(false);
});

test('what a page forces leaves the preference as it is', () => {
  const storage = memoryStorage();
  const theme = new ThemeStore({ storage, systemDark: systemOf(false), root });
  theme.setPreference('light');
  theme.force('dark');
  expect(isShownDark()).toBe(true);
  expect(storage.getItem(THEME_KEY)).toBe('light');
  theme.force(undefined);
  expect(isShownDark()).toBe(false);
});

test('forbidden storage and unknown values mean the system', () => {
  const forbidden = () => {
    throw new DOMException('denied', 'SecurityError');
  };
  const theme = new ThemeStore({
    storage: { getItem: forbidden, setItem: forbidden },
    systemDark: systemOf(false),
    root,
  });
  theme.setPreference('dark');
  expect(isShownDark()).toBe(true);
  const storage = memoryStorage();
  storage.setItem(THEME_KEY, 'sepia');
  expect(new ThemeStore({ storage, systemDark: systemOf(false), root }).preference).toBe('system');
});
