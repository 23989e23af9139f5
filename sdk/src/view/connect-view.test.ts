import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { connectView } from './connect-view.ts';
import { VIEW_HEADERS, viewDocument, viewIssue } from './view-document.ts';
import { VIEW_GREETING, type ViewMessage } from './view-messages.ts';

type Listener = Parameters<NonNullable<Parameters<typeof connectView>[0]>['addEventListener']>[1];

/** A window as far as a view needs one, and the host's end of its port. */
const openWindow = () => {
  const listeners: Listener[] = [];
  const sent: unknown[] = [];
  const port = {
    onmessage: null as ((event: { readonly data: string }) => void) | null,
    postMessage: (text: string) => void sent.push(JSON.parse(text)),
  };
  const root = { lang: '', dataset: {} as Record<string, string | undefined>, style: { colorScheme: '' } };
  const parent = {};
  return {
    sent,
    root,
    window: {
      parent,
      document: { documentElement: { ...root, getBoundingClientRect: () => ({ height: 99.2 }) } },
      addEventListener: (_type: 'message', listener: Listener) => void listeners.push(listener),
    },
    greet: (more: { source?: unknown; data?: unknown } = {}) => {
      for (const listener of listeners) listener({ source: parent, data: VIEW_GREETING, ports: [port], ...more });
    },
    say: (message: ViewMessage) => port.onmessage?.({ data: JSON.stringify(message) }),
  };
};

describe('the end of a view', () => {
  it('asks by number once it has the port, and gives each answer to who asked', async () => {
    const { window, sent, greet, say } = openWindow();
    const view = connectView<{ 'GET /a': { output: string }; 'POST /b': { input: { n: number }; output: number } }>(
      window,
    );
    const [first, second] = [view.call('GET /a'), view.call('POST /b', { n: 1 })];
    expect(sent).toEqual([]);
    greet();
    void view.resize(10);
    expect(sent).toEqual([
      { id: 1, method: 'call', route: 'GET /a' },
      { id: 2, method: 'call', route: 'POST /b', input: { n: 1 } },
      { id: 3, method: 'resize', height: 10 },
    ]);
    say({ id: 2, result: 7 });
    say({ id: 1, error: { code: 'call_failed', message: 'Not now.' } });
    expect(await second).toBe(7);
    await expect(first).rejects.toMatchObject({ name: 'ViewError', code: 'call_failed', message: 'Not now.' });
  });

  it('takes the port of its host alone, and once', () => {
    const { window, sent, greet } = openWindow();
    const view = connectView(window);
    void view.getConnection();
    greet({ source: {} });
    greet({ data: 'else' });
    expect(sent).toEqual([]);
    greet();
    greet();
    expect(sent).toEqual([{ id: 1, method: 'getConnection' }]);
  });

  it('answers pings, and follows language and theme', () => {
    const { window, sent, greet, say } = openWindow();
    const view = connectView(window);
    const heard: unknown[] = [];
    const stop = view.onChange((appearance) => heard.push(appearance));
    greet();
    say({ event: 'ping' });
    expect(sent).toEqual([{ method: 'pong' }]);
    say({ event: 'change', appearance: { locale: 'de', theme: 'dark' } });
    stop();
    say({ event: 'change', appearance: { locale: 'en', theme: 'light' } });
    expect(heard).toEqual([{ locale: 'de', theme: 'dark' }]);
    expect(window.document.documentElement).toMatchObject({ lang: 'en', dataset: { theme: 'light' } });
    void view.resize();
    expect(sent.at(-1)).toEqual({ id: 1, method: 'resize', height: 100 });
  });

  it('is the one that the host has put there', () => {
    const { window } = openWindow();
    const breakwater = connectView(window);
    expect(connectView({ ...window, breakwater })).toBe(breakwater);
  });
});

describe('the document of a view', () => {
  it('has the bridge before the scripts of its author, without anything from outside of it', () => {
    const html = viewDocument('<!DOCTYPE html><title>x</title>');
    const [, script = '', rest] = /^<!doctype html><script>(.*?)<\/script>(.*)$/s.exec(html) ?? [];
    expect(rest).toBe('<title>x</title>');
    const { window, sent, greet } = openWindow();
    const own: Record<string, unknown> & typeof window = { ...window, RTCPeerConnection: class {} };
    runInNewContext(script, { window: own });
    expect(own['RTCPeerConnection']).toBeUndefined();
    const view: unknown = own['breakwater'];
    expect(view).toHaveProperty('getConnection');
    runInNewContext('void breakwater.getConnection()', { breakwater: view });
    greet();
    expect(sent).toEqual([{ id: 1, method: 'getConnection' }]);
  });

  it('is served under a policy that opens nothing', () => {
    const policy = VIEW_HEADERS['Content-Security-Policy'] ?? '';
    expect(policy).toMatch(/^sandbox allow-scripts; default-src 'none'; /);
    expect(policy).not.toMatch(/allow-same-origin|connect-src|unsafe-eval|https?:|\*/);
  });

  it.each([
    ['<html><p>x</p>', 'does not begin'],
    [`<!doctype html>${'x'.repeat(512 * 1024)}`, 'bytes'],
    ['<!doctype html><iFrame srcdoc="x"></iframe>', 'frame'],
    ['<!doctype html><object data="x">', 'frame'],
    ['<!doctype html><script src="https://cdn.example/x.js"></script>', 'loads another file'],
    ['<!doctype html><LINK rel=stylesheet href=x>', 'loads another file'],
    ['<!doctype html><img src=logo.png>', 'loads another file'],
  ])('%.40s is refused', (html, reason) => {
    expect(viewIssue(new TextEncoder().encode(html))).toContain(reason);
  });

  it('takes what stands in one file, and no other encoding', () => {
    const sound = '<!doctype html><img src="data:image/png;base64,AA=="><script>const a = "ä";</script>';
    expect(viewIssue(new TextEncoder().encode(sound))).toBeUndefined();
    expect(viewIssue(Buffer.from(sound, 'latin1'))).toBe('is no text in UTF-8');
  });
});
