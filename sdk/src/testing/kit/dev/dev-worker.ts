import { parentPort } from 'node:worker_threads';
import type { AnyConnector } from '../../../connector.ts';
import { publicConfig } from '../../../host/egress/roots.ts';
import { readViews } from '../../../host/read-views.ts';
import { viewDocument } from '../../../view/view-document.ts';
import { type LoadedFolder, loadPlugin, UnreadablePlugin } from '../load-plugin.ts';
import { html } from './html.ts';
import { type PageParts, page } from './page.ts';
import { type RealRun, runDemo, runReal, runRoute, type ViewCall } from './run-connector.ts';

type ViewAnswer = Pick<PageAnswer, 'status' | 'page'>;

/** One page that the server is asked for. */
export interface PageQuestion {
  readonly number: number;
  readonly folder: string;
  /** Id of the connector; empty: the first. */
  readonly connector: string;
  /** Set where the real service is to be asked. */
  readonly real?: RealRun;
  /** The page of the connector's own is asked for, or what it calls. */
  readonly view?: 'document' | ViewCall;
}

/** `status` is that of HTTP. */
export interface PageAnswer {
  readonly number: number;
  readonly status: number;
  /** A page, the document of a view, or what a route answered as JSON. */
  readonly page: string;
}

/** Loaded once: after a change there is a new worker, with modules of its own. */
let loading: Promise<LoadedFolder> | undefined;

async function answer({ number, folder, connector: id, real, view }: PageQuestion): Promise<PageAnswer> {
  const empty: PageParts = {
    ...{ connectors: [], connector: undefined, results: [], issues: [], values: {} },
    mode: real === undefined ? 'recorded answers' : 'the real service',
  };
  try {
    loading ??= loadPlugin(folder);
    const loaded = await loading;
    const { connectors } = loaded.plugin;
    const connector = id === '' ? connectors[0] : connectors.find((one) => one.id === id);
    if (connector === undefined) return { number, status: 404, page: page({ ...empty, connectors }) };
    if (view === 'document') return { number, ...(await viewOf(folder, loaded, connector)) };
    if (view !== undefined) return { number, ...(await callOf(folder, loaded, connector, view)) };
    const results = await (real === undefined
      ? runDemo(folder, loaded, connector)
      : runReal(folder, loaded, connector, real));
    const values = valuesOf(loaded, connector, real);
    return {
      number,
      status: 200,
      page: page({ ...empty, connectors, connector, results, values, issues: loaded.issues }),
    };
  } catch (error) {
    const issues =
      error instanceof UnreadablePlugin
        ? error.issues
        : [
            {
              what: error instanceof Error ? error.message : String(error),
              where: 'the connector',
              fix: 'Correct it.',
            },
          ];
    return { number, status: 200, page: page({ ...empty, issues }) };
  }
}

async function viewOf(folder: string, { plugin }: LoadedFolder, { id, view }: AnyConnector): Promise<ViewAnswer> {
  if (view === undefined) return { status: 404, page: 'It has no view.' };
  const { views, issues } = await readViews(folder, plugin);
  const found = views.get(id);
  if (found !== undefined) return { status: 200, page: viewDocument(found) };
  const issue = issues.find((one) => one.startsWith(`view ${view.entry}: `)) ?? '';
  return { status: 200, page: viewDocument(`<!doctype html><title>View</title><p>${html`${issue}`.text}</p>`) };
}

async function callOf(
  folder: string,
  loaded: LoadedFolder,
  connector: AnyConnector,
  call: ViewCall,
): Promise<ViewAnswer> {
  const { isOk, message, value } = await runRoute(folder, loaded, connector, call);
  return isOk ? { status: 200, page: JSON.stringify(value ?? null) } : { status: 422, page: message };
}

/** Public fields alone: what was typed as a secret does not come back. */
function valuesOf({ fixtures }: LoadedFolder, connector: AnyConnector, real: RealRun | undefined): PageParts['values'] {
  const typed = Object.entries(real?.typed ?? {}).filter(([, value]) => value !== '');
  return publicConfig(connector, { ...fixtures.connectors[connector.id]?.credentials, ...Object.fromEntries(typed) });
}

parentPort?.on('message', (question: PageQuestion) => {
  void answer(question).then((made) => parentPort?.postMessage(made));
});
