import type { CloudIdentity, CloudLogin } from '@breakwater/sdk';
import { applicationOf } from '../../../connectors/server/index.ts';
import { AppError } from '../../../platform/model/app-error.ts';
import type { CatalogueEntry } from '../../../platform/model/connector-catalogue.ts';
import { msg } from '../../../platform/model/message.ts';
import { ALL_SCANNERS, CLOUD_CATEGORY, CLOUD_SCAN, type ToolRun } from '../../model/scan-requests.ts';
import { ScanError } from '../clone/clone-error.ts';
import type { WorkFolder } from '../processes/work-folder.ts';
import type { ClaimedScan, ScanEnd } from '../requests/scan-requests.ts';
import type { InstalledScanner } from './installed-scanners.ts';
import {
  awaitImports,
  chooseScanners,
  endOf,
  failRuns,
  noScanner,
  note,
  type RunningScan,
  type ScanningDeps,
  type ScanPlace,
  scanWith,
} from './run-tools.ts';

/** Clouds that the organisation has configured, as the catalogue orders them. */
const configuredClouds = async (deps: ScanningDeps, clientId: string): Promise<CatalogueEntry[]> => {
  const clouds = deps.catalogue.entries().filter(({ category, connector: { id } }) => {
    return category === CLOUD_CATEGORY && deps.catalogue.capability('cloud', id)?.login !== undefined;
  });
  const configured: CatalogueEntry[] = [];
  for (const entry of clouds) {
    const { connector } = entry;
    const item = await deps.database.forClient(clientId, (db) => deps.connections.item(db, clientId, connector.id));
    if (item.attributes.is_configured && connector.disabled === undefined) configured.push(entry);
  }
  return configured;
};

const titleOf = (scanner: InstalledScanner, cloud: CatalogueEntry): string =>
  `${scanner.entry.connector.title}: ${cloud.connector.title}`;

interface CloudAccess {
  readonly identity: CloudIdentity;
  readonly login: CloudLogin;
}

/** Whose account it is, and what programs log in with; secrets are read at the moment of their use. @throws AppError */
const openCloud = async (running: RunningScan, { connector: { id } }: CatalogueEntry): Promise<CloudAccess> => {
  const { deps, claimed, signal } = running;
  const cloud = deps.catalogue.capability('cloud', id);
  if (cloud?.login === undefined) throw new TypeError(`${id} has no login`);
  const { login } = cloud;
  return deps.connections.use(
    { clientId: claimed.clientId, connectorId: id },
    async (ctx) => ({ identity: await cloud.identity(ctx), login: await login(ctx) }),
    { signal },
  );
};

/** The application that an account is: one for each, whatever scanner looked at it. */
const placeOf = async (
  { deps, claimed: { clientId } }: RunningScan,
  { connector }: CatalogueEntry,
  { identity, login }: CloudAccess,
): Promise<ScanPlace> => {
  const account = login.account ?? identity.account;
  const order = {
    connectionKey: { clientId, connectorId: connector.id },
    target: { kind: 'target', id: account, name: `${connector.title} ${identity.account}` },
    tag: connector.title,
    limits: deps.planLimits,
  } as const;
  const repositoryId = await deps.database.forClient(clientId, (db) => applicationOf(db, order));
  return { target: { kind: 'cloud', provider: connector.id, account }, repositoryId, branch: null, login };
};

const scanCloud = async (
  running: RunningScan,
  cloud: CatalogueEntry,
  scanners: readonly InstalledScanner[],
): Promise<void> => {
  const titles = new Set(scanners.map((scanner) => titleOf(scanner, cloud)));
  const place = await openCloud(running, cloud)
    .then((opened) => placeOf(running, cloud, opened))
    .catch((error: unknown) => {
      running.signal.throwIfAborted();
      if (!(error instanceof AppError)) throw error;
      failRuns(running.tools, ({ title }) => titles.has(title), error.message);
      return null;
    });
  if (place === null) return note(running, 'running');
  for (const scanner of scanners) {
    await scanWith(running, place, { scanner, run: { tool: scanner.id, title: titleOf(scanner, cloud) } });
  }
};

/** Settings of every cloud that is connected. A cloud that cannot be asked fails for itself. @throws ScanError, and whatever ends the run */
export const scanClouds = async (
  deps: ScanningDeps,
  claimed: ClaimedScan,
  { work, signal }: { work: WorkFolder; signal: AbortSignal },
): Promise<ScanEnd> => {
  const { clientId } = claimed;
  const scanType = claimed.scanType === CLOUD_SCAN ? ALL_SCANNERS : claimed.scanType;
  const { scanners, tools: chosen } = await chooseScanners(deps, { clientId, scanType, kind: 'cloud' });
  if (scanners.length === 0) throw noScanner(chosen);
  const clouds = await configuredClouds(deps, clientId);
  if (clouds.length === 0) {
    throw new ScanError(
      'cloud_missing',
      msg('Nothing was scanned. No cloud is connected: connect one on the page of connectors.'),
    );
  }
  const tools = [
    ...chosen.filter(({ status }) => status !== 'queued'),
    ...clouds.flatMap((cloud) =>
      scanners.map((scanner): ToolRun => {
        const title = titleOf(scanner, cloud);
        return { tool: scanner.id, title, version: scanner.version, status: 'queued', detail: null, scan_id: null };
      }),
    ),
  ];
  const running: RunningScan = { deps, claimed, work, signal, tools };
  await note(running, 'running');
  for (const cloud of clouds) await scanCloud(running, cloud, scanners);
  await awaitImports(running);
  return endOf(tools);
};
