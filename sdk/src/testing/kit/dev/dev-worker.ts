import { parentPort } from 'node:worker_threads';
import type { AnyConnector } from '../../../connector.ts';
import { publicConfig } from '../../../host/egress/roots.ts';
import { type LoadedFolder, loadPlugin, UnreadablePlugin } from '../load-plugin.ts';
import { type PageParts, page } from './page.ts';
import { type RealRun, runDemo, runReal } from './run-connector.ts';

/** One page that the server is asked for. */
export interface PageQuestion {
  readonly number: number;
  readonly folder: string;
  /** Id of the connector; empty: the first. */
  readonly connector: string;
  /** Set where the real service is to be asked. */
  readonly real?: RealRun;
}

/** The page; `status` is that of HTTP. */
export interface PageAnswer {
  readonly number: number;
  readonly status: number;
  readonly page: string;
}

/** Loaded once: after a change there is a new worker, with modules of its own. */
let loading: Promise<LoadedFolder> | undefined;

async function answer({ number, folder, connector: id, real }: PageQuestion): Promise<PageAnswer> {
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

/** Public fields alone: what was typed as a secret does not come back. */
function valuesOf({ fixtures }: LoadedFolder, connector: AnyConnector, real: RealRun | undefined): PageParts['values'] {
  const typed = Object.entries(real?.typed ?? {}).filter(([, value]) => value !== '');
  return publicConfig(connector, { ...fixtures.connectors[connector.id]?.credentials, ...Object.fromEntries(typed) });
}

parentPort?.on('message', (question: PageQuestion) => {
  void answer(question).then((made) => parentPort?.postMessage(made));
});
