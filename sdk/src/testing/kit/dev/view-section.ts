import type { AnyConnector } from '../../../connector.ts';
import type { ViewConnection } from '../../../view/view-messages.ts';
import { type Html, html } from './html.ts';

/** What the browser has, as far as the bridge needs it. */
interface Browser {
  readonly frame: {
    readonly contentWindow: { postMessage(message: string, origin: string, ports: readonly unknown[]): void } | null;
    readonly style: { height: string };
    addEventListener(type: 'load', listener: () => void): void;
  };
  /** Whether the person prefers a dark page. */
  readonly dark: { readonly matches: boolean; addEventListener(type: 'change', listener: () => void): void };
  openChannel(): { readonly port1: Port; readonly port2: unknown };
  /** Answers with the value, or rejects with words for the author. */
  call(order: { readonly route: string; readonly input: unknown }): Promise<unknown>;
}

interface Port {
  onmessage: ((event: { readonly data: string }) => void) | null;
  postMessage(text: string): void;
}

/**
 * The host's end of the bridge of a view, without the limits that the product has. Everything that it needs stands inside of it, because it is written
 * into the page.
 */
export function hostView({ frame, dark, openChannel, call }: Browser, connection: Omit<ViewConnection, 'theme'>): void {
  const theme = () => (dark.matches ? 'dark' : 'light');
  const answer = async (request: { method?: string; route?: string; input?: unknown; height?: number }) => {
    if (request.method === 'getConnection') return { ...connection, theme: theme() };
    if (request.method === 'call') return call({ route: String(request.route), input: request.input ?? {} });
    if (request.method !== 'resize') throw new Error('The host knows no such message.');
    frame.style.height = `${Math.min(600, Math.max(80, Number(request.height)))}px`;
    return null;
  };
  // the page of a folder that has changed is loaded anew with its frame
  frame.addEventListener('load', () => {
    const { port1, port2 } = openChannel();
    port1.onmessage = ({ data }) => {
      const request = JSON.parse(data);
      if (request.id === undefined) return;
      answer(request).then(
        (result) => port1.postMessage(JSON.stringify({ id: request.id, result: result ?? null })),
        ({ message }) => port1.postMessage(JSON.stringify({ id: request.id, error: { code: 'call_failed', message } })),
      );
    };
    const tell = () => {
      const appearance = { locale: connection.locale, theme: theme() };
      port1.postMessage(JSON.stringify({ event: 'change', appearance }));
    };
    tell();
    dark.addEventListener('change', tell);
    // the frame has an opaque origin, which no address names
    frame.contentWindow?.postMessage('breakwater.view', '*', [port2]);
  });
}

/** Runs in the page where it has a view. */
export const VIEW_SCRIPT = `
const frame = document.querySelector('iframe');
if (frame !== null) (${hostView})({
  frame,
  dark: matchMedia('(prefers-color-scheme: dark)'),
  openChannel: () => new MessageChannel(),
  call: async (order) => {
    const response = await fetch(frame.dataset.call, { method: 'POST', body: JSON.stringify(order) });
    const text = await response.text();
    if (!response.ok) throw new Error(text);
    return JSON.parse(text);
  },
}, JSON.parse(frame.dataset.connection));
if (frame !== null) frame.src = frame.dataset.src;`;

/** The page of a connector's own, in the frame that it has in the product. */
export function viewSection({ id, title, view }: AnyConnector, config: Readonly<Record<string, unknown>>): Html | null {
  if (view === undefined) return null;
  const at = `/${encodeURIComponent(id)}`;
  const connection: Omit<ViewConnection, 'theme'> = {
    connectorId: id,
    title,
    state: 'connected',
    config,
    locale: 'en',
  };
  return html`<section><h2>${view.title}</h2><p class="quiet">Its calls get the recorded answers.</p>
<iframe title="${view.title}" sandbox="allow-scripts" referrerpolicy="no-referrer" data-src="${at}/view" data-call="${at}/call" data-connection="${JSON.stringify(connection)}"></iframe></section>`;
}
