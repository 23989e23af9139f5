import { setTimeout as sleep } from 'node:timers/promises';
import { type ApiClient, signIn } from '../harness/api.ts';
import { PASSWORD } from '../harness/database.ts';
import type { Installation } from '../harness/installation.ts';
import { type RunningServer, removeFolder, startServer } from '../harness/server.ts';

const PATIENCE_MS = 120_000;

/** Titles of the findings that come in, once there are any. */
export const firstFindings = async (api: ApiClient): Promise<string[]> => {
  const until = Date.now() + PATIENCE_MS;
  for (;;) {
    const { body } = await api.call('GET', '/findings');
    const titles = body.data.map(({ attributes }: { attributes: { title: string } }) => attributes.title);
    if (titles.length > 0 || Date.now() > until) return titles;
    await sleep(250);
  }
};

/** The server again, with the service of what an organisation added at another address, as an operator would say it. */
export const withVendor = async <T>(
  installation: Installation,
  order: { username: string; connector: string; vendor: string },
  work: (server: RunningServer, api: ApiClient) => Promise<T>,
): Promise<T> => {
  await installation.server.stop();
  const name = order.connector.toUpperCase().replace('-', '_');
  const environment = { DATABASE_URL: installation.database.url, [`${name}_BASE_URL`]: `${order.vendor}/v1` };
  const server = await startServer({ environment });
  try {
    return await work(server, await signIn(server, order.username, PASSWORD));
  } finally {
    await server.stop();
    await removeFolder(server.dataDirectory);
  }
};
