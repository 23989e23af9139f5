import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { templateMatcher } from '../../core/src/platform/model/match-template.ts';
import { ROOT } from '../suites/run.ts';
import { gapsOf, type LanguageReport, readTexts } from './check.ts';
import { gapsOfPlugin, type PluginLanguages, readPlugins } from './plugins.ts';
import { missingTexts, skeletonOf } from './tables.ts';

/** Slices whose texts are all wrapped and translated; the others are being done. */
const DONE: readonly string[] = [
  'accounts',
  'app',
  'audit',
  'billing',
  'clients',
  'connectors',
  'feedback',
  'frameworks',
  'findings',
  'ingest',
  'notifications',
  'partners',
  'platform',
  'posture',
  'prioritisation',
  'published-connectors',
  'reachability',
  'remediation',
  'repositories',
  'sbom',
  'scanning',
  'sdk',
  'session',
  'shell',
  'single-sign-on',
  'source-control',
  'team',
];

describe('planted mistakes', () => {
  const FILE = 'core/src/planted/ui/planted-screen.tsx';
  let report: LanguageReport;
  beforeAll(async () => {
    report = await readTexts(path.join(import.meta.dirname, '../__fixtures__/languages'));
  });

  test('texts that nothing wraps', () => {
    expect(report.bare.get('planted')).toEqual([
      'core/src/planted/model/planted.ts:1: Bare state',
      `${FILE}:5: t() runs while the module is read`,
      `${FILE}:29: t() runs while the module is read`,
      `${FILE}:6: Bare label`,
      `${FILE}:11: Bare toast`,
      `${FILE}:12: Bare \u2026`,
      `${FILE}:15: bare`,
      `${FILE}:15: Bare sentence`,
      `${FILE}:17: several`,
    ]);
  });

  test('messages of the server', () => {
    expect(report.messages.get('planted')).toEqual([
      'core/src/planted/server/planted.ts:5: It was refused.',
      'core/src/planted/server/planted.ts:6: Enter a name.',
      'core/src/planted/server/planted.ts:8: \u2026 are the most.',
      'core/src/planted/server/planted.ts:9: No template fits.',
      'core/src/planted/server/planted.ts:10: Upgrade \u2026 first.',
    ]);
    expect(report.messages.get('platform')).toEqual(['host-server/src/planted.ts:3: The server refused it.']);
  });

  test('texts without a translation', () => {
    expect(gapsOf(report, 'planted').filter((gap) => gap.includes('missing'))).toEqual([
      `${FILE}:17: "One" is missing in core/languages/de/planted.json`,
    ]);
    const language = { id: 'pl', tables: new Map() };
    const skeleton = skeletonOf(language, missingTexts(language, 'planted', report.texts));
    expect(skeleton['One']).toBe('');
    expect(skeleton['{count} findings']).toEqual({
      one: '{count} finding',
      few: '{count} findings',
      many: '{count} findings',
      other: '{count} findings',
    });
  });

  test('entries that do not fit', () => {
    const about = (slice: string, text: string) => `core/languages/de/${slice}.json: ${JSON.stringify(text)}`;
    expect(report.issues).toEqual([
      `${about('planted', 'Wrapped')} needs no places`,
      `${about('planted', '{count} findings')} needs the forms one, other`,
      `${about('planted', '{name} was removed')} needs {name}`,
      `${about('planted', 'Read <a>the guide</a>.')} needs </a> <a>`,
      `${about('planted', 'Gone')} is shown nowhere in planted`,
      `${about('platform', 'State')} is another text in planted.json`,
      `${about('platform', 'Early')} has forms, and no number decides`,
      `${about('platform', 'Early')} is another text in planted.json`,
    ]);
  });
});

describe('texts of the interface', () => {
  let report: LanguageReport;
  beforeAll(async () => {
    report = await readTexts(ROOT);
  });

  test('another language is there', () => {
    expect(report.languages.map(({ id }) => id)).toContain('de');
    expect(report.texts.length).toBeGreaterThan(5);
  });

  test('every entry of a table fits its text', () => expect(report.issues).toEqual([]));

  /** A text of places alone is found by its parts. */
  const hasWords = (text: string): boolean => /\p{L}{2}/u.test(text.replaceAll(/\{\w+\}/g, ''));

  test('what is kept as one English text is long enough for its entry to be found again', () => {
    const stored = report.texts.filter(
      ({ text, isStored }) => isStored === true && /\{\w+\}/.test(text) && hasWords(text),
    );
    expect(stored.length).toBeGreaterThan(50);
    const lost = stored.filter(
      ({ text }) => templateMatcher({ [text]: text })(text.replaceAll(/[{}]/g, '')) === undefined,
    );
    expect(lost.map(({ where, text }) => `${where}: ${text}`)).toEqual([]);
  });

  test.each(DONE)('%s: every message of the server is marked, so that tables have it', (slice) => {
    expect(report.messages.get(slice) ?? []).toEqual([]);
  });

  test.each(DONE)('%s: every text is wrapped, and every language has it', (slice) => {
    expect(report.slices).toContain(slice);
    expect(gapsOf(report, slice)).toEqual([]);
  });
});

describe('texts of the built-in plugins', () => {
  let plugins: PluginLanguages[];
  let report: LanguageReport;
  beforeAll(async () => {
    [plugins, report] = await Promise.all([readPlugins(ROOT), readTexts(ROOT)]);
  });

  test('every plugin has texts', () => {
    expect(plugins.map(({ id }) => id)).toContain('scm-github');
    for (const { texts } of plugins) expect(texts.length).toBeGreaterThan(5);
  });

  test('every language has every one of them, and no other', () => {
    expect(plugins.flatMap((plugin) => gapsOfPlugin(plugin, report.languages))).toEqual([]);
  });

  test('a text without a translation, an entry without a text, and a lost place are told', async () => {
    const root = path.join(import.meta.dirname, '../__fixtures__/languages');
    const [planted] = await readPlugins(root);
    const at = 'plugins/planted/languages/de.json';
    const lost = JSON.stringify('There is no project "{name}".');
    expect(planted && gapsOfPlugin(planted, [{ id: 'de' }])).toEqual([
      `${at}: "Gone from the plugin." is no text of the plugin`,
      `${at}: ${lost} needs {name}`,
      `plugins/planted: connector "planted", description: "Finds what was planted." is missing in ${at}`,
      `plugins/planted/src/server/index.ts:4: ${lost} is missing in ${at}`,
      `plugins/planted/src/server/index.ts:4: "Enter another one." is missing in ${at}`,
    ]);
  });
});
