import { FIRST_ANSWERS } from '@breakwater/core/platform/ui/data/first-answers.ts';
import { LOCALE_KEY } from '@breakwater/core/platform/ui/language/locale.store.ts';
import { IS_LOGIN_KEY, loginMarkOf } from '@breakwater/core/session/model/is-login.ts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { showsEnglish } from './english.ts';
import { showFirstLook } from './first-look.ts';

const FINDING = {
  severity: 'high',
  priority: 90.467,
  title: 'CVE-2023-44487: <img src=x onerror=alert(1)> allows a denial of service',
  rule_id: null,
  cve: 'CVE-2023-44487',
  component: 'stdlib',
  component_version: '1.20',
  cwe: null,
  file_path: '/frontend/node_modules/esbuild/bin/esbuild',
  resource: null,
  start_line: null,
  start_column: null,
};

const root = document.createElement('div');
const ADDRESS = '/api/v1/findings?sort=desc';

const answer = (body: unknown, status = 200) => {
  const response = Promise.resolve(Response.json(body, { status }));
  Reflect.set(globalThis, FIRST_ANSWERS, new Map([[ADDRESS, response]]));
  return response;
};

const open = (address: string) => {
  window.history.replaceState(null, '', address);
  showFirstLook(root);
};
const settle = () => new Promise((resolve) => setTimeout(resolve, 0));

beforeEach(() => {
  root.replaceChildren();
  document.body.append(root);
  localStorage.setItem(IS_LOGIN_KEY, loginMarkOf({ user: { role: 'developer' } }));
  vi.stubGlobal('matchMedia', () => ({ matches: true }));
  vi.spyOn(navigator, 'languages', 'get').mockReturnValue(['en-GB']);
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  localStorage.clear();
  Reflect.deleteProperty(globalThis, FIRST_ANSWERS);
});

describe('first look', () => {
  it('shows the first findings of the answer, which the application reads as well', async () => {
    const response = answer({ data: [{ attributes: FINDING }, { attributes: { ...FINDING, severity: 'low' } }] });
    open('/findings');
    await settle();
    const [first, second] = root.querySelectorAll('li');
    expect(first?.querySelector('.fl-title')?.textContent).toContain('stdlib: denial of service');
    expect(first?.querySelector('.fl-place')?.textContent).toBe('CVE-2023-44487 · esbuild/bin/esbuild');
    expect(first?.querySelector('.fl-priority')?.textContent).toBe('90.467');
    expect(first?.querySelector('.is-high')?.textContent).toBe('High');
    expect(second?.querySelector('.is-low')?.textContent).toBe('Low');
    // what a report says is text
    expect(root.querySelector('img')).toBeNull();
    expect((await (await response).json()).data).toHaveLength(2);
  });

  it('is of the list and the dashboard as they begin, for somebody who may read findings', () => {
    open('/');
    expect(root.querySelector('h1')?.textContent).toBe('Dashboard');
    expect(root.firstElementChild?.hasAttribute('inert')).toBe(true);
    for (const address of ['/findings?severity=high', '/findings/all', '/login']) {
      root.replaceChildren();
      open(address);
      expect(root.childElementCount).toBe(0);
    }
    localStorage.setItem(IS_LOGIN_KEY, loginMarkOf({ user: { role: 'superadmin' } }));
    open('/');
    expect(root.childElementCount).toBe(0);
    localStorage.clear();
    open('/');
    expect(root.childElementCount).toBe(0);
  });

  it('shows no words of ours to whoever reads another language', async () => {
    answer({ data: [{ attributes: FINDING }] });
    localStorage.setItem(LOCALE_KEY, JSON.stringify({ language: 'de' }));
    open('/findings');
    await settle();
    expect(root.textContent).toBe('');
  });

  it.each([
    ['a refusal', () => answer({ data: [{ attributes: FINDING }] }, 401)],
    ['an answer of another kind', () => answer('nothing')],
    ['rows of another kind', () => answer({ data: [{}] })],
    [
      'a call that failed',
      () => Reflect.set(globalThis, FIRST_ANSWERS, new Map([[ADDRESS, Promise.reject(new Error('away'))]])),
    ],
    ['no answer', () => undefined],
  ])('stays as it is after %s', async (_case, prepare) => {
    prepare();
    open('/findings');
    await settle();
    expect(root.querySelector('h1')?.textContent).toBe('Findings');
    expect(root.querySelectorAll('li')).toHaveLength(0);
  });

  it('leaves the application alone that was faster than the answer', async () => {
    answer({ data: [{ attributes: FINDING }] });
    open('/findings');
    root.replaceChildren('the application');
    await settle();
    expect(root.textContent).toBe('the application');
  });
});

it.each<[stored: string | null, preferred: string[], isEnglish: boolean]>([
  [null, ['en-US', 'de'], true],
  [null, ['de-AT', 'en'], false],
  [null, [], false],
  ['{"language":"en"}', ['de'], true],
  ['{"language":"de"}', ['en'], false],
  ['{"language":"en","number_format":"de"}', ['en'], false],
  ['{"language":"en","number_format":"en-IN"}', ['en'], true],
  ['{broken', ['en'], true],
  ['[]', ['en'], true],
])('stored %s and preferred %j: English is %s', (stored, preferred, isEnglish) => {
  expect(showsEnglish(stored, preferred)).toBe(isEnglish);
});
