import { describe, expect, it } from 'vitest';
import { defineConnector, monogram } from '../connector.ts';
import { definePlugin } from '../plugin.ts';
import { manifestTexts, readLanguageTable } from './language-table.ts';

const plugin = definePlugin({
  id: 'harbour',
  version: '1.0.0',
  connectors: [
    defineConnector({
      id: 'harbour',
      title: 'Harbour',
      category: 'sast',
      image: monogram('Ha'),
      description: 'Finds what is at sea.',
      disabled: { reason: 'Not open yet.' },
      credentials: {
        type: 'object',
        properties: {
          region: { type: 'string', title: 'Region', description: 'Where it is.', enum: ['north', 'south'] },
          kinds: { type: 'array', items: { type: 'string', enum: ['ship'] } },
        },
      },
      auth: { type: 'none' },
    }),
  ],
  importers: [{ tool: 'harbour', title: 'Harbour report' }],
});

const WHOLE = {
  'Finds what is at sea.': 'Findet, was auf See ist.',
  'Not open yet.': 'Noch nicht offen.',
  Region: 'Region',
  'Where it is.': 'Wo es ist.',
};
const read = (entries: unknown) => readLanguageTable(entries, plugin);

describe('manifestTexts', () => {
  it('gives all that people read, and says what is a name', () => {
    expect(manifestTexts(plugin).map(({ text, isName }) => `${text}${isName ? ' (name)' : ''}`)).toEqual([
      'Harbour (name)',
      'Finds what is at sea.',
      'Not open yet.',
      'Region',
      'Where it is.',
      'north (name)',
      'south (name)',
      'ship (name)',
      'Harbour report (name)',
    ]);
  });
});

describe('readLanguageTable', () => {
  it('takes texts of the manifest, names, and sentences of the code', () => {
    const entries = { ...WHOLE, north: 'Norden', 'There is no ship {name}.': 'Es gibt kein Schiff {name}.' };
    expect(read(entries)).toEqual({ table: entries, issues: [], missing: [] });
  });

  it('says what is missing; names are not', () => {
    expect(read({ Region: 'Gegend' }).missing).toEqual(['Finds what is at sea.', 'Not open yet.', 'Where it is.']);
  });

  it.each<[string, unknown, string]>([
    ['{a} {b} of it', '{a} {b} davon', 'is no text of the plugin'],
    ['Region', 7, 'must be translated by a text'],
    ['Region', ' ', 'must be translated by a text'],
    ['Region', 'x'.repeat(1001), 'must have at most 1000 characters'],
    ['Region', 'a\u202Eb', 'must be translated by plain text'],
    ['Region', 'a\nb', 'must be translated by plain text'],
    ['Region', '\uD800', 'must be translated by plain text'],
    ['There is no ship {name}.', 'Es gibt kein Schiff.', 'needs {name}'],
    ['There is no ship at sea.', 'Kein {ship}.', 'needs no names in braces'],
  ])('leaves out %j: %j', (text, translation, why) => {
    const { table, issues } = read({ ...WHOLE, [text]: translation });
    expect(issues).toEqual([`${JSON.stringify(text)} ${why}`]);
    expect(Object.keys(table)).not.toContain(text === 'Region' ? 'Region' : text);
  });

  it('keeps joiners, which some scripts are written with', () => {
    expect(read({ Region: 'a\u200Cb' }).issues).toEqual([]);
  });

  it.each([[null], ['texts'], [[]]])('refuses %j', (value) => {
    expect(read(value)).toMatchObject({ table: {}, issues: ['must be an object of texts'] });
  });

  it('takes 2,000 entries', () => {
    const many = Object.fromEntries(Array.from({ length: 2001 }, (_, index) => [`A sentence number ${index}.`, 'x']));
    const { table, issues } = read(many);
    expect([Object.keys(table).length, issues]).toEqual([2000, ['must have at most 2000 entries']]);
  });

  it('knows all sentences where the plugin has no code', () => {
    const sentences = { sentences: ['It is closed.'], isComplete: true };
    const entries = { ...WHOLE, 'It is open today.': 'Offen.' };
    const { issues, missing } = readLanguageTable(entries, plugin, sentences);
    expect([issues, missing]).toEqual([['"It is open today." is no text of the plugin'], ['It is closed.']]);
  });
});
