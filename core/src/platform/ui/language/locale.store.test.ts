import { afterEach, describe, expect, test } from 'vitest';
import { NO_PREFERENCES } from '../../model/locale.ts';
import { formatDecimal, formatExact, setFormats } from '../display/formats.ts';
import { LOCALE_KEY, LocaleStore, type PluginTexts } from './locale.store.ts';
import { setLanguage, type TextTable, t } from './translate.ts';

const GERMAN: TextTable = { Save: 'Speichern' };
const NOON = '2026-11-23T12:00:00Z';

interface Given {
  stored?: string;
  preferred?: string[];
  german?: () => Promise<TextTable>;
}

const open = ({ stored, preferred = ['en-GB'], german = async () => GERMAN }: Given = {}) => {
  const kept = new Map(stored === undefined ? [] : [[LOCALE_KEY, stored]]);
  const storage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  };
  const root = { lang: '', dataset: {} as DOMStringMap };
  const store = new LocaleStore({ storage, preferred, languages: new Map([['de', german]]), root });
  return { store, root, kept: () => JSON.parse(kept.get(LOCALE_KEY) ?? 'null'), storage };
};

afterEach(() => {
  setLanguage('en', undefined, formatDecimal);
  setFormats({ language: 'en', numbers: 'en-US', timeZone: undefined });
});

describe('LocaleStore', () => {
  test('adds the texts of plugins for who is signed in, and asks again where they could not be had', async () => {
    const asked: string[] = [];
    const storage = { getItem: () => null, setItem: () => undefined };
    const environment = { storage, preferred: ['de'], root: { lang: '', dataset: {} as DOMStringMap } };
    const pluginTexts = async (language: string): Promise<PluginTexts> => {
      asked.push(language);
      if (asked.length === 1) throw new Error('offline');
      return {
        installation: { Region: 'Gegend', Save: 'Von einem Plug-in' },
        organisation: { Quay: 'Kai', Region: 'Fremd' },
      };
    };
    const store = new LocaleStore({ ...environment, languages: new Map([['de', async () => GERMAN]]), pluginTexts });
    await store.start();
    expect([t('Region'), asked]).toEqual(['Region', []]);
    await store.apply(NO_PREFERENCES);
    expect([t('Region'), t('Save')]).toEqual(['Region', 'Speichern']);
    await store.apply(NO_PREFERENCES);
    await store.apply({ ...NO_PREFERENCES, density: 'compact' });
    expect([t('Region'), t('Save'), t('Quay')]).toEqual(['Gegend', 'Speichern', 'Kai']);
    expect(asked).toEqual(['de', 'de', 'de']);
    await store.apply({ ...NO_PREFERENCES, language: 'en' });
    expect([t('Region'), asked.length]).toEqual(['Region', 3]);
  });

  test('shows what a profile says without a new page, and keeps it for the next one', async () => {
    const { store, root, kept, storage } = open();
    await store.start();
    expect([store.language, root.lang, t('Save'), formatDecimal(1234.5)]).toEqual(['en', 'en', 'Save', '1,234.5']);
    const chosen = { language: 'de', time_zone: 'Pacific/Auckland', number_format: 'de-CH', density: null };
    await store.apply(chosen);
    expect([store.language, root.lang, t('Save')]).toEqual(['de', 'de', 'Speichern']);
    // ICU's sign is one or the other
    expect(formatDecimal(1234.5)).toMatch(/^1['’]234\.5$/);
    expect(formatExact(NOON)).toContain('24. Nov. 2026, 01:00:00');
    expect(kept()).toEqual(chosen);
    const next = new LocaleStore({
      storage,
      preferred: ['en'],
      languages: new Map([['de', async () => GERMAN]]),
      root,
    });
    await next.start();
    expect([next.language, next.preferences]).toEqual(['de', chosen]);
  });

  test('makes the tables dense where they stand, and again at the next start', async () => {
    const { store, root, storage } = open();
    await store.start();
    await store.apply({ ...NO_PREFERENCES, density: 'compact' });
    expect([root.dataset.density, store.version]).toEqual(['compact', 0]);
    const later = { lang: '', dataset: {} as DOMStringMap };
    await new LocaleStore({ storage, preferred: ['en'], languages: new Map(), root: later }).start();
    expect(later.dataset.density).toBe('compact');
    await store.apply(NO_PREFERENCES);
    expect(root.dataset.density).toBeUndefined();
  });

  test('draws anew once for a change, and not for what shows already', async () => {
    const { store } = open();
    await store.start();
    expect(store.version).toBe(0);
    await store.apply({ ...NO_PREFERENCES, language: 'de' });
    await store.apply({ ...NO_PREFERENCES, language: 'de' });
    expect(store.version).toBe(1);
    await store.apply(NO_PREFERENCES);
    expect([store.version, store.language]).toEqual([2, 'en']);
  });

  test('writes figures as the language does where no format was chosen', async () => {
    const { store } = open();
    await store.apply({ ...NO_PREFERENCES, language: 'de' });
    expect(formatDecimal(1234.5)).toBe('1.234,5');
    await store.apply({ ...NO_PREFERENCES, number_format: 'de-DE' });
    expect([store.language, formatDecimal(1234.5)]).toEqual(['en', '1.234,5']);
  });

  test.each([
    [['de-AT', 'en'], 'de'],
    [['fr', 'de'], 'de'],
    [['fr', 'en-US', 'de'], 'en'],
    [['deutsch'], 'en'],
    [[], 'en'],
  ])('follows the browser where nobody chose: %j shows %s', async (preferred, language) => {
    const { store } = open({ preferred });
    await store.start();
    expect(store.language).toBe(language);
  });

  test('shows English where the table cannot be had', async () => {
    const { store, root } = open({ preferred: ['de'], german: () => Promise.reject(new Error('no network')) });
    await store.start();
    expect([store.language, root.lang, t('Save')]).toEqual(['en', 'en', 'Save']);
  });

  test.each([
    '',
    '{',
    '"de"',
    '[]',
    '{"language":7,"time_zone":{}}',
    '{"language":"xx","time_zone":"+99:99","number_format":"1"}',
  ])('starts with whatever the browser keeps: %s', async (stored) => {
    const { store } = open({ stored });
    await store.start();
    expect([store.language, formatDecimal(1234.5)]).toEqual(['en', '1,234.5']);
    expect(formatExact('2026-11-23')).toBe('23 Nov 2026');
  });
});
