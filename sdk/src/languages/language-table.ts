import type { AnyConnector } from '../connector.ts';
import type { CredentialField } from '../credentials.ts';
import type { Plugin } from '../plugin.ts';

/** Texts of a plugin in one language: the English text as it stands in the plugin, and what its readers see instead. */
export type LanguageTable = Readonly<Record<string, string>>;

/** Most entries of one table. */
const MAX_ENTRIES = 2000;
/** Longest text, in characters. */
const MAX_TEXT = 1000;
/** A sentence with values has at least so many letters and words around them; less would fit what services and people wrote. */
const MIN_LETTERS = 10;
const MIN_WORDS = 2;

/** A text of a manifest that people read. */
export interface ManifestText {
  readonly text: string;
  readonly where: string;
  /** A name, of a product as a rule: it may be translated and need not be. */
  readonly isName: boolean;
}

type Say = (text: string | undefined, field: string, isName?: boolean) => ManifestText[];

const choicesOf = (field: CredentialField): readonly string[] => {
  if (field.type === 'string') return field.enum ?? [];
  return field.type === 'array' ? (field.items.enum ?? []) : [];
};

const fieldTexts = (name: string, field: CredentialField, say: Say): ManifestText[] => [
  ...say(field.title, `${name}.title`),
  ...say(field.description, `${name}.description`),
  ...choicesOf(field).flatMap((choice) => say(choice, `${name}.enum`, true)),
];

const connectorTexts = (connector: AnyConnector): ManifestText[] => {
  const say: Say = (text, field, isName = false) =>
    text === undefined || text === '' ? [] : [{ text, isName, where: `connector "${connector.id}", ${field}` }];
  const { auth, credentials } = connector;
  return [
    ...say(connector.title, 'title', true),
    ...say(connector.description, 'description'),
    ...say(connector.disabled?.reason, 'disabled.reason'),
    ...say(connector.view?.title, 'view.title'),
    ...say(auth.type === 'oauth2' ? auth.expired : undefined, 'auth.expired'),
    ...Object.entries(credentials.properties).flatMap(([name, field]) => fieldTexts(name, field, say)),
  ];
};

/** What people read of a manifest, in its order; a text that stands in several places is there several times. */
export const manifestTexts = (plugin: Plugin): ManifestText[] => [
  ...plugin.connectors.flatMap(connectorTexts),
  ...plugin.importers.map(({ tool, title }) => ({ text: title, isName: true, where: `importer "${tool}", title` })),
];

/** Names in braces, sorted: `{branch} {name}`. */
const placesOf = (text: string): string => (text.match(/\{\w+\}/g) ?? []).toSorted().join(' ');

/** Line breaks and the like, and signs that turn the direction of the text. Joiners stay: some scripts are written with them. */
const NO_PLAIN_TEXT = /[\p{Cc}\u200E\u200F\u2028-\u202E\u2066-\u2069]/u;

/** Whether code may say it: what it says cannot be known without running it. */
const canBeSaid = (text: string): boolean => {
  if (placesOf(text) === '') return true;
  const words = text.replaceAll(/\{\w+\}/g, ' ').match(/\p{L}+/gu) ?? [];
  return words.length >= MIN_WORDS && words.join('').length >= MIN_LETTERS;
};

const entryIssue = (text: string, translation: unknown, isKnown: boolean): string | undefined => {
  if (typeof translation !== 'string' || translation.trim() === '') return 'must be translated by a text';
  if (text.length > MAX_TEXT || translation.length > MAX_TEXT) return `must have at most ${MAX_TEXT} characters`;
  if (NO_PLAIN_TEXT.test(translation) || !translation.isWellFormed()) return 'must be translated by plain text';
  if (!isKnown) return 'is no text of the plugin';
  const places = placesOf(text);
  return placesOf(translation) === places ? undefined : `needs ${places || 'no names in braces'}`;
};

/** What became of the content of `languages/<language>.json`. */
export interface ReadLanguage {
  /** The entries that are sound. */
  readonly table: LanguageTable;
  /** Why the others are left out. */
  readonly issues: readonly string[];
  /** Texts of the manifest, and sentences, that have no entry. */
  readonly missing: readonly string[];
}

export interface PluginSentences {
  /** Sentences that the plugin may say besides its manifest. */
  readonly sentences: readonly string[];
  /** Whether there are no others; false for code, which may throw any. */
  readonly isComplete: boolean;
}

/**
 * Judges a table. An entry is a text of the manifest, or one that the plugin's code gives to people: of a connector without code all are known, of code
 * only whether a sentence with values could be found again.
 */
export const readLanguageTable = (
  value: unknown,
  plugin: Plugin,
  { sentences, isComplete }: PluginSentences = { sentences: [], isComplete: false },
): ReadLanguage => {
  const texts = manifestTexts(plugin);
  const needed = [...new Set([...texts.filter(({ isName }) => !isName).map(({ text }) => text), ...sentences])];
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { table: {}, issues: ['must be an object of texts'], missing: needed };
  const entries: [string, unknown][] = Object.entries(value);
  const known = new Set([...texts.map(({ text }) => text), ...sentences]);
  const issues = entries.length > MAX_ENTRIES ? [`must have at most ${MAX_ENTRIES} entries`] : [];
  const table = new Map<string, string>();
  for (const [text, translation] of entries.slice(0, MAX_ENTRIES)) {
    const isKnown = known.has(text) || (!isComplete && canBeSaid(text));
    const issue = entryIssue(text, translation, isKnown);
    if (issue !== undefined) issues.push(`${JSON.stringify(text.slice(0, 200))} ${issue}`);
    else if (typeof translation === 'string') table.set(text, translation);
  }
  return { table: Object.fromEntries(table), issues, missing: needed.filter((text) => !table.has(text)) };
};
