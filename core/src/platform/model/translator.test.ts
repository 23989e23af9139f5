import { describe, expect, test } from 'vitest';
import { say, sayCount, sayLabel } from './sentence.ts';
import { ENGLISH, sayEnglish, Translator } from './translator.ts';

const german = new Translator({
  id: 'de',
  texts: {
    High: 'Hoch',
    '{title} is not connected: {why}': '{title} ist nicht verbunden: {why}',
    '{title} is not connected yet.': '{title} ist noch nicht verbunden.',
    'The token has expired.': 'Das Token ist abgelaufen.',
    '{tool} on {repository}': '{tool} auf {repository}',
    'Import failed: {what}': 'Import fehlgeschlagen: {what}',
    'It ends {moment}: {list}.': 'Es endet {moment}: {list}.',
    '{count} findings': { one: '{count} Befund', other: '{count} Befunde' },
  },
  formatNumber: (value) => value.toLocaleString('de-DE'),
  formatMoment: (value) => `am ${value.slice(8, 10)}.`,
});

describe('a sentence is written for its reader', () => {
  const what = say('{tool} on {repository}', { tool: 'Trivy', repository: '{tool} $& shop' });
  test.each([
    [
      say('Import failed: {what}', { what }),
      'Import failed: Trivy on {tool} $& shop',
      'Import fehlgeschlagen: Trivy auf {tool} $& shop',
    ],
    [sayCount(1, '{count} finding', '{count} findings'), '1 finding', '1 Befund'],
    [sayCount(1200, '{count} finding', '{count} findings'), '1,200 findings', '1.200 Befunde'],
    [sayLabel('High'), 'High', 'Hoch'],
    [
      say('It ends {moment}: {list}.', {
        moment: { at: '2026-11-24T10:00:00Z' },
        list: [sayLabel('High'), sayCount(2, '{count} finding', '{count} findings')],
      }),
      'It ends 2026-11-24 10:00 UTC: High, 2 findings.',
      'Es endet am 24.: Hoch, 2 Befunde.',
    ],
  ])('%j', (sentence, english, own) => {
    expect([ENGLISH.say(sentence), german.say(sentence)]).toEqual([english, own]);
  });

  test('a sentence that was stored as text keeps nothing that every object has', () => {
    expect(german.say({ text: 'constructor' })).toBe('constructor');
  });
});

describe('what was kept as one English text', () => {
  test.each([
    ['The token has expired.', 'Das Token ist abgelaufen.'],
    // a reason inside of a sentence
    ['GitLab is not connected: The token has expired.', 'GitLab ist nicht verbunden: Das Token ist abgelaufen.'],
    // the more specific of two
    ['GitLab is not connected yet.', 'GitLab ist noch nicht verbunden.'],
    // several sentences, and one that nobody knows
    [
      'GitLab is not connected yet. fatal: no. The token has expired.',
      'GitLab ist noch nicht verbunden. fatal: no. Das Token ist abgelaufen.',
    ],
    ['Trivy: The token has expired.', 'Trivy: Das Token ist abgelaufen.'],
    // too little of our own
    ['Trivy on shop', 'Trivy on shop'],
    ['High', 'Hoch'],
    ['', ''],
  ])('%s', (english, own) => expect(german.said(english)).toBe(own));

  test('is found by the text that it was written from', () => {
    const english = sayEnglish('{title} is not connected: {why}', { title: 'Jira', why: 'no answer' });
    expect(english).toBe('Jira is not connected: no answer');
    expect(german.said(english)).toBe('Jira ist nicht verbunden: no answer');
    expect(ENGLISH.said(english)).toBe(english);
  });

  test('a long text takes no longer than its length', () => {
    const text = `${'is not connected: '.repeat(5000)}x`;
    expect(german.said(text)).toBe(text);
  });
});

describe('texts of plugins', () => {
  const own = new Translator({
    id: 'de',
    texts: {
      High: 'Hoch',
      '{title} is not connected yet.': '{title} ist noch nicht verbunden.',
      'It says:': 'Es heißt:',
    },
    formatNumber: String,
    formatMoment: String,
  });
  own.addPluginTexts({
    High: 'Von einem Plug-in',
    Region: 'Gegend',
    'Jira is not connected yet{way}.': 'Von einem Plug-in{way}.',
    'There is no project "{name}".': 'Es gibt kein Projekt „{name}“.',
    'Jira does not take the link:': 'Jira nimmt die Verknüpfung nicht an:',
    'It gives no reason (status {status}).': 'Es nennt keinen Grund (Status {status}).',
  });
  test.each([
    // what the product translates stays as it is
    ['High', 'Hoch'],
    ['Jira is not connected yet.', 'Jira ist noch nicht verbunden.'],
    ['Region', 'Gegend'],
    ['There is no project "shop".', 'Es gibt kein Projekt „shop“.'],
    // what a service said stays as it came
    ['There is no project "shop". It says: "High"', 'Es gibt kein Projekt „shop“. Es heißt: "High"'],
    [
      'Jira does not take the link: It gives no reason (status 400).',
      'Jira nimmt die Verknüpfung nicht an: Es nennt keinen Grund (Status 400).',
    ],
  ])('%s', (text, german) => {
    expect(own.said(text)).toBe(german);
  });

  test('what an organisation added translates nothing that is not its own', () => {
    const both = new Translator({
      id: 'de',
      texts: { High: 'Hoch', '{title} is not connected yet.': '{title} ist noch nicht verbunden.' },
      formatNumber: String,
      formatMoment: String,
    });
    both.addPluginTexts(
      { Region: 'Gegend', 'There is no project "{name}".': 'Es gibt kein Projekt „{name}“.' },
      {
        High: 'Fremd',
        Region: 'Fremd',
        'Jira is not connected yet.': 'Jira ist verbunden.',
        'There is no project "shop".': 'Es gibt "shop".',
        Quay: 'Kai',
        'The quay {name} is closed for ships.': 'Am Kai {name} legt kein Schiff an.',
      },
    );
    expect(both.said('High')).toBe('Hoch');
    expect(both.translated('Region')).toBe('Gegend');
    expect(both.said('Jira is not connected yet.')).toBe('Jira ist noch nicht verbunden.');
    expect(both.said('There is no project "shop".')).toBe('Es gibt kein Projekt „shop“.');
    expect([both.translated('Quay'), both.said('Quay')]).toEqual(['Kai', 'Kai']);
    expect(both.said('The quay Nord is closed for ships.')).toBe('Am Kai Nord legt kein Schiff an.');
    expect(both.translated('constructor')).toBe('constructor');
  });
});

test('a label inside a sentence is translated at its place however short it is; a name is not', () => {
  const german = new Translator({
    id: 'de',
    texts: {
      Open: 'Offen',
      'Its state is “{status}”.': 'Ihr Zustand ist „{status}“.',
      'Written by {name} alone.': 'Nur von {name}.',
    },
    formatNumber: String,
    formatMoment: (value) => value,
  });
  expect(german.said('Its state is “Open”.')).toBe('Ihr Zustand ist „Offen“.');
  expect(german.said('Written by Open alone.')).toBe('Nur von Open.');
});
