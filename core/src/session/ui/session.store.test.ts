import { describe, expect, it, vi } from 'vitest';
import { createCachedData } from '../../platform/ui/data/cached-data.ts';
import { type Answer, answer, fakeHttp } from '../../testing/browser/fake-http.ts';
import { IS_LOGIN_KEY } from '../model/is-login.ts';
import { GOOGLE_KEY, SessionStore } from './session.store.ts';

const DATA = {
  user: { _id: '1', email: 'a@b.example', username: 'a', role: 'admin' as const },
  client: { _id: '2', organization_name: 'Harbour Ltd' },
};
const SIGNED_IN = () => ({ success: true, data: { ...DATA, enable_2fa: false, google_auth: 0, google_profile: null } });
const SIGNED_OUT = () => answer(401, { detail: 'No session.', code: 'not_authenticated' });

const DONE = { 'GET /setup': () => ({ data: { needed: false } }) };

const storeOver = (answers: Record<string, Answer>, onEnd?: (userId: string) => void) => {
  const { api, calls } = fakeHttp({ ...DONE, ...answers });
  const values = new Map<string, string>();
  const reload = vi.fn();
  const cachedData = createCachedData();
  const clear = vi.fn();
  cachedData.register(clear);
  const storage = {
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => void values.set(key, value),
    removeItem: (key: string) => void values.delete(key),
  };
  const store = new SessionStore({
    api,
    cachedData,
    environment: { storage, reload },
    ...(onEnd === undefined ? {} : { onEnd }),
  });
  return { store, calls, values, reload, clear };
};

describe('SessionStore', () => {
  it('asks once, also when several ask at once', async () => {
    const { store, calls } = storeOver({ 'GET /session': SIGNED_IN });
    await Promise.all([store.load(), store.load()]);
    await store.load();
    expect(calls.filter(({ path }) => path === '/session')).toHaveLength(1);
    expect(store.organizationName).toBe('Harbour Ltd');
  });

  it('says whose session has ended before the page is gone', async () => {
    const ended: (string | boolean)[] = [];
    const { store, reload } = storeOver({ 'GET /session': SIGNED_IN }, (userId) => {
      ended.push(userId, reload.mock.calls.length === 0);
    });
    store.handleUnauthorized();
    expect(ended).toEqual([]);
    await store.load();
    store.handleUnauthorized();
    expect(ended).toEqual(['1', true]);
    expect(reload).toHaveBeenCalledOnce();
  });

  it('makes no failing call on a fresh installation', async () => {
    const { store, calls } = storeOver({ 'GET /setup': () => ({ data: { needed: true } }) });
    await store.load();
    expect(calls.map(({ path }) => path)).toEqual(['/setup']);
    expect(store.isSignedIn).toBe(false);
  });

  it('asks again after a failure', async () => {
    let isUp = false;
    const { store } = storeOver({ 'GET /session': () => (isUp ? SIGNED_IN() : answer(503, { code: 'unavailable' })) });
    await expect(store.load()).rejects.toMatchObject({ status: 503 });
    isUp = true;
    await store.load();
    expect(store.isSignedIn).toBe(true);
  });

  it('restores only where somebody had signed in', async () => {
    const { store, calls, values } = storeOver({ 'GET /session': SIGNED_OUT });
    await store.restore();
    expect(calls).toHaveLength(0);
    values.set(IS_LOGIN_KEY, '1');
    await store.restore();
    expect(calls).toHaveLength(1);
  });

  it('logs out and reloads on a 401 while somebody is signed in, and only then', () => {
    const { store, reload, clear, values } = storeOver({});
    store.handleUnauthorized();
    expect(reload).not.toHaveBeenCalled();
    store.adopt(DATA);
    clear.mockClear();
    store.handleUnauthorized();
    store.handleUnauthorized();
    expect(reload).toHaveBeenCalledTimes(1);
    expect(clear).toHaveBeenCalledTimes(1);
    expect(values.has(IS_LOGIN_KEY)).toBe(false);
  });

  it('signs out to the sign-in page though other calls hear first that the session has ended', async () => {
    const { store, reload } = storeOver({
      'POST /logout': () => {
        store.handleUnauthorized();
        return { success: true };
      },
    });
    store.adopt(DATA);
    await store.signOut();
    expect([store.isSignedIn, reload.mock.calls.length]).toEqual([false, 0]);
    store.adopt(DATA);
    store.handleUnauthorized();
    expect(reload).toHaveBeenCalledTimes(1);
  });

  it('keeps what Google said while its person is signed in, and clears it with the session', async () => {
    const google = { google_auth: 1, google_profile: { email: 'ann@gmail.com', name: 'Ann' } };
    const { store, values, reload } = storeOver({
      'GET /session': () => ({ success: true, data: { ...DATA, enable_2fa: false, ...google } }),
      'POST /logout': () => ({ success: true }),
    });
    await store.load();
    expect(JSON.parse(values.get(GOOGLE_KEY) ?? '')).toEqual({ google_auth: 1, ...google.google_profile });
    store.handleUnauthorized();
    expect([values.has(GOOGLE_KEY), reload.mock.calls.length]).toEqual([false, 1]);
    store.adoptGoogle(DATA);
    expect(values.get(GOOGLE_KEY)).toBe('{"google_auth":1}');
    await store.signOut();
    expect(values.has(GOOGLE_KEY)).toBe(false);
  });

  it('follows a sign-out of another tab', () => {
    const { store, reload } = storeOver({});
    store.adopt(DATA);
    store.handleStorage({ key: 'other', newValue: null });
    expect(reload).not.toHaveBeenCalled();
    store.handleStorage({ key: IS_LOGIN_KEY, newValue: null });
    expect(reload).toHaveBeenCalledTimes(1);
  });

  it('stays signed in when the server could not end the session', async () => {
    const { store } = storeOver({ 'POST /logout': () => answer(503, { detail: 'Stopping.', code: 'unavailable' }) });
    store.adopt(DATA);
    await expect(store.signOut()).rejects.toMatchObject({ status: 503 });
    expect(store.isSignedIn).toBe(true);
  });

  it('counts a session that is over already as ended', async () => {
    const { store, clear } = storeOver({ 'POST /logout': SIGNED_OUT });
    store.adopt(DATA);
    clear.mockClear();
    await store.signOut();
    expect(store.isSignedIn).toBe(false);
    expect(clear).toHaveBeenCalledTimes(1);
  });

  it('asks about set-up until it is done', async () => {
    let isNeeded = true;
    const { store, calls } = storeOver({ 'GET /setup': () => ({ data: { needed: isNeeded } }) });
    expect(await store.isSetupNeeded()).toBe(true);
    isNeeded = false;
    expect(await store.isSetupNeeded()).toBe(false);
    expect(await store.isSetupNeeded()).toBe(false);
    expect(calls).toHaveLength(2);
  });
});
