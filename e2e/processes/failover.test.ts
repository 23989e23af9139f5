import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Relay, startRelay } from '../../tools/testing/relay.ts';
import { addRepository, apiClient, setUp } from '../harness/api.ts';
import { startLoad } from '../harness/failover-load.ts';
import { lostDecisions, lostUploads, wrongImport } from '../harness/failover-proof.ts';
import { waitForScan } from '../harness/interrupted-import.ts';
import { type OwnPostgres, startOwnPostgres } from '../harness/own-postgres.ts';
import { type PgBouncer, startPgBouncer } from '../harness/pgbouncer.ts';
import { generatedReport } from '../harness/reports.ts';
import type { RunningServer } from '../harness/server.ts';
import { addNeighbour, untilHeard, withProcesses } from '../harness/several-processes.ts';

/** One failover by hand. `npm run soak -- failover` has Patroni do twenty. */
const FINDINGS = 3000;
const DECIDED = 60;
/** What is logged of a request that came while there was no primary. */
const UNAVAILABLE = [/"msg":"unavailable"/, /"status":503/];

let primary: OwnPostgres;
let replica: OwnPostgres;
let relay: Relay;
let bouncer: PgBouncer;
beforeAll(async () => {
  primary = await startOwnPostgres({ isDurable: true });
  replica = await primary.startReplica();
  // nothing is acknowledged that the replica does not have
  await primary.query(`alter system set synchronous_standby_names = '*'`);
  await primary.query('select pg_reload_conf()');
  relay = await startRelay(primary.url('breakwater'));
  const server = { host: '127.0.0.1', port: relay.port };
  const users = ['breakwater', 'breakwater_login_breakwater'];
  const settings = { server_login_retry: '1' };
  bouncer = await startPgBouncer({ server, mode: 'transaction', poolSize: 4, users, settings });
});
afterAll(async () => {
  await bouncer?.stop();
  await relay?.close();
  await replica?.stop();
  await primary?.stop();
});

const prepare = async (first: RunningServer, second: RunningServer) => {
  const admin = await setUp(first);
  const decided = await addRepository(admin, 'decided');
  await admin.upload(decided, 'report.json', generatedReport(DECIDED));
  const { body } = await admin.get('/findings?pagination=false');
  const findingIds: string[] = body.data.map(({ _id }: { _id: string }) => _id);
  const [imported, uploads] = [await addRepository(admin, 'imported'), await addRepository(admin, 'uploads')];
  const neighbour = await addNeighbour(second, primary);
  const elsewhere = apiClient(second, admin.token);
  const repositories = new Set([decided, imported, uploads]);
  const readers = [admin, elsewhere].map((api) => ({ api, repositories }));
  readers.push({ api: neighbour, repositories: new Set() });
  const half = DECIDED / 2;
  const writers = [
    { api: admin, findingIds: findingIds.slice(0, half) },
    { api: elsewhere, findingIds: findingIds.slice(half, -1) },
  ];
  const uploader = { api: elsewhere, repositoryId: uploads };
  return { admin, findingIds, imported, load: startLoad({ readers, writers, uploader, name: 'promoted' }) };
};

const isReady = async ({ url }: RunningServer): Promise<boolean> => (await fetch(`${url}/readyz`)).status === 200;

test('a replica is promoted during an import: nothing acknowledged is lost, and all processes go on by themselves', async () => {
  const addresses = { DATABASE_URL: bouncer.url('breakwater'), DATABASE_DIRECT_URL: relay.url };
  const work = async (first: RunningServer, second: RunningServer): Promise<void> => {
    const { admin, findingIds, imported: repositoryId, load } = await prepare(first, second);
    const { status, body } = await admin.upload(repositoryId, 'report.json', generatedReport(FINDINGS, 2), 0);
    expect(status).toBe(202);
    const scanId = body.data.scan_id;
    await expect.poll(async () => (await admin.get(`/scans/${scanId}`)).body.data.attributes.status).not.toBe('queued');

    relay.leadTo(undefined);
    load.primaryWasKilled();
    await replica.query('select pg_promote()');
    relay.leadTo(replica.url('breakwater'));

    await expect.poll(() => Promise.all([first, second].map(isReady))).toEqual([true, true]);
    await expect.poll(() => load.firstReadSeconds()).toBeDefined();
    await untilHeard(second, admin, findingIds.at(-1) ?? '');
    await waitForScan(admin, scanId);
    await load.stop();
    await expect.poll(() => lostUploads(replica, load.scans)).toEqual([]);
    expect(await wrongImport(replica, { repositoryId, scanId, results: FINDINGS })).toEqual([]);
    expect(load.decisions.filter(({ isAcknowledged }) => isAcknowledged).length).toBeGreaterThan(0);
    expect(await lostDecisions(replica, load.decisions)).toEqual([]);
    expect(load.faults).toEqual({});
  };
  await withProcesses(addresses, work, UNAVAILABLE);
});
