import { FIRST_ANSWERS } from '@breakwater/core/platform/ui/data/first-answers.ts';
import { LOCALE_KEY } from '@breakwater/core/platform/ui/language/locale.store.ts';
import { IS_LOGIN_KEY, READS_FINDINGS } from '@breakwater/core/session/model/is-login.ts';
import { showsEnglish } from './english.ts';
import { element, firstRows } from './first-rows.ts';

/**
 * What the page shows before the application runs: its frame at once, and on a phone the first findings when the answer that the page asked for
 * is there (`app/vite/first-calls.ts`). The application replaces it with its first drawing. Part of the page itself, with its own styles: it
 * waits for no other file.
 */

interface Page {
  name: string;
  title: string;
  /** Above the rows. */
  card: string;
}

const PAGES: Readonly<Record<string, Page>> = {
  // no text: shown where the interface is English, before its translations could be there
  '/': { name: 'dashboard', title: 'Dashboard', card: 'Fix first' },
  // no text: the same
  '/findings': { name: 'list', title: 'Findings', card: '' },
};

/** Under this width a finding is a block and not a row with columns of somebody's choice. px */
const NARROW = '(max-width: 767px)';

const stored = (key: string): string | null => {
  try {
    return localStorage.getItem(key);
  } catch {
    // a browser that keeps nothing
    return null;
  }
};

/** The answer of the list among those that were asked for; it is read from a copy, as the application reads it as well. */
const rowsAnswer = async (): Promise<Response | undefined> => {
  const answers: unknown = Reflect.get(globalThis, FIRST_ANSWERS);
  if (!(answers instanceof Map)) return undefined;
  for (const [address, answer] of answers) {
    if (!String(address).includes('/findings?')) continue;
    const response: unknown = await answer;
    return response instanceof Response && response.ok ? response.clone() : undefined;
  }
  return undefined;
};

const drawRows = async (rows: HTMLElement): Promise<void> => {
  const answer = await rowsAnswer();
  // the application may have been faster
  if (answer !== undefined && rows.isConnected) rows.replaceChildren(...firstRows(await answer.json()));
};

/** @param root of the application, empty */
export const showFirstLook = (root: HTMLElement): void => {
  const page = location.search === '' ? PAGES[location.pathname] : undefined;
  if (page === undefined || stored(IS_LOGIN_KEY) !== READS_FINDINGS) return;
  const isEnglish = showsEnglish(stored(LOCALE_KEY), navigator.languages);
  const rows = element('ol', 'fl-rows');
  const main = element('div', 'fl-main', element('h1', 'fl-head', isEnglish ? page.title : ''));
  main.append(
    element('div', 'fl-tools'),
    element('div', 'fl-card', element('h2', '', isEnglish ? page.card : ''), rows),
  );
  // no text: names of classes
  const look = element('div', `fl is-${page.name}`, element('div', 'fl-rail'), element('div', 'fl-top'), main);
  // seen only: whoever had begun to use it would lose their place to the application
  look.inert = true;
  root.replaceChildren(look);
  // a first look that fails leaves the page as it is without one
  if (isEnglish && matchMedia(NARROW).matches) drawRows(rows).catch(() => undefined);
};

const root = document.getElementById('app');
if (root !== null) showFirstLook(root);
