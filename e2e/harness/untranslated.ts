import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';

const LANGUAGES = path.join(import.meta.dirname, '../../core/languages');

/** English texts of the interface as patterns of what stands on a screen: those that read otherwise in the language. */
export interface EnglishTexts {
  exact: string[];
  /** Texts with values in them, as sources of regular expressions. */
  patterns: string[];
}

const PLACE = /\{\w+\}/;
/** A value is a figure or a name, not a sentence that somebody wrote. */
const VALUE = '.{1,40}';
/** Fewer letters of our own would fit what people wrote. */
const MIN_LETTERS = 4;

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

/** The pieces of a text between its marks (`<a>…</a>`): each is drawn on its own. */
const piecesOf = (text: string): string[] =>
  text
    .split(/<\/?\w+>/)
    .map((piece) => piece.trim())
    .filter((piece) => piece !== '');

const oneOf = (key: string, translation: unknown): string[] => {
  if (typeof translation === 'string') return translation === key ? [] : piecesOf(key);
  return [key];
};

/** What a reader of the language must not meet: every English text whose translation is another. */
export const englishTexts = async (language: string): Promise<EnglishTexts> => {
  const folder = path.join(LANGUAGES, language);
  const tables = (await readdir(folder)).filter((name) => name.endsWith('.json'));
  const own = new Set<string>();
  const english = new Set<string>();
  for (const name of tables) {
    const table: Record<string, unknown> = JSON.parse(await readFile(path.join(folder, name), 'utf8'));
    for (const [key, translation] of Object.entries(table)) {
      for (const piece of typeof translation === 'string' ? piecesOf(translation) : []) own.add(piece);
      for (const piece of oneOf(key, translation)) english.add(piece);
    }
  }
  // a word that is also one of the language ("Name", "Standard") says nothing
  const told = [...english].filter((text) => !own.has(text));
  return {
    exact: told.filter((text) => !PLACE.test(text)),
    patterns: told
      .filter((text) => PLACE.test(text) && text.replaceAll(/\{\w+\}|[^A-Za-z]/g, '').length >= MIN_LETTERS)
      .map(
        (text) =>
          `^${text
            .split(/\{\w+\}/)
            .map(escaped)
            .join(VALUE)}$`,
      ),
  };
};

/** Texts and names on the screen that are English texts of the interface. */
export const untranslatedOn = (page: Page, texts: EnglishTexts): Promise<string[]> =>
  page.evaluate(({ exact, patterns }) => {
    const known = new Set(exact);
    const forms = patterns.map((source) => new RegExp(source, 'u'));
    const shown: string[] = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      // what tools and people wrote is marked as theirs, or stands in code
      if (node.parentElement?.closest('script, style, noscript, code, pre, [lang]:not(html)') == null)
        shown.push(node.textContent ?? '');
    }
    for (const element of document.querySelectorAll('[aria-label], [title], [placeholder], [alt], [aria-valuetext]')) {
      for (const name of ['aria-label', 'title', 'placeholder', 'alt', 'aria-valuetext'])
        shown.push(element.getAttribute(name) ?? '');
    }
    const found = shown
      .map((text) => text.trim().replaceAll(/\s+/g, ' '))
      .filter((text) => known.has(text) || forms.some((form) => form.test(text)));
    return [...new Set([document.title, ...found])].filter((text) => text !== document.title || known.has(text));
  }, texts);
