import { existsSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { type IsolatedPlugin, openIsolated } from '../../../host/index.ts';
import { condense, type KitCheck, type KitIssue } from '../check.ts';
import type { LoadedFolder } from '../load-plugin.ts';
import { describeOutcome, playRecorded, type Recorded } from '../service/recorded.ts';
import { openSubject, type Subject } from '../service/subject.ts';

/** The first whose permission model cuts the network. */
const NODE_WITH_NETWORK_CUT = 26;

/** The plugin in a process of its own, as a host runs what it does not vouch for. */
export interface KitIsolation {
  /** Null where this Node cannot, or the plugin is data alone. */
  readonly plugin: IsolatedPlugin | null;
  readonly note: string | null;
  readonly issues: readonly KitIssue[];
  close(): void;
}

const NONE = { plugin: null, note: null, issues: [], close: () => undefined };
const SDK = fileURLToPath(new URL('../../../..', import.meta.url));

/** What a plugin's modules may be found in: its folder, this package, and the packages that are installed above. */
function readableFor(folder: string): string[] {
  const installed: string[] = [];
  for (let at = path.resolve(folder); ; at = path.dirname(at)) {
    const packages = path.join(at, 'node_modules');
    if (existsSync(packages)) installed.push(packages, realpathSync(packages));
    if (at === path.dirname(at)) break;
  }
  return [folder, SDK, ...installed].map((one) => (one.endsWith(path.sep) ? one : one + path.sep));
}

/** Opens the plugin a second time, in a process of its own. */
export async function openKitIsolation(folder: string, loaded: LoadedFolder): Promise<KitIsolation> {
  const [major = 0] = process.versions.node.split('.').map(Number);
  if (loaded.modules === undefined || loaded.server === undefined) return NONE;
  if (major < NODE_WITH_NETWORK_CUT) {
    const note = `The plugin was not run in a process of its own: Node ${NODE_WITH_NETWORK_CUT} is needed for that.`;
    return { ...NONE, note };
  }
  const urlOf = (file: string) => pathToFileURL(path.join(folder, file)).href;
  const { manifest, server } = loaded.modules;
  try {
    const plugin = await openIsolated({
      entries: { manifest: urlOf(manifest), parsers: null, server: urlOf(server) },
      readable: readableFor(folder),
      isClockStill: true,
      isOfUs: true,
    });
    return { plugin, note: null, issues: [], close: () => plugin.pool.close() };
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? `: ${error.cause.message}` : '';
    const what = `it cannot be run in a process of its own: ${error instanceof Error ? error.message : error}${cause}`;
    return {
      ...NONE,
      issues: [{ what, where: 'the plugin', fix: 'See "See it" in the author guide for what a process may do.' }],
    };
  }
}

/** Every operation asks and answers the same in a process of its own, where no part of the machine is at hand. */
export async function checkIsolation(
  subject: Subject,
  recorded: readonly Recorded[],
  { plugin, issues, note, folder }: KitIsolation & { readonly folder: string },
): Promise<KitCheck> {
  const code = plugin?.server?.connectors[subject.connector.id];
  if (plugin === null || code === undefined) {
    return { tier: 'silver', name: 'isolation', tried: 0, issues, ...(note === null ? {} : { notes: [note] }) };
  }
  await plugin.pool.start('');
  const outside = await openSubject({ connector: subject.connector, code, fixture: subject.fixture, folder });
  const found: KitIssue[] = [];
  for (const again of await playRecorded(outside)) {
    const before = recorded.find(({ operation }) => operation.name === again.operation.name);
    if (before !== undefined) found.push(...differences(before, again));
  }
  return { tier: 'silver', name: 'isolation', tried: recorded.length, issues: condense(found) };
}

function differences(before: Recorded, again: Recorded): KitIssue[] {
  const { name } = before.operation;
  const where = `${name} in a process of its own`;
  const asked = ({ played }: Recorded) =>
    played.seen.map(({ method, address }) => `${method} ${withoutOrigin(address)}`);
  const answered = ({ played: { outcome } }: Recorded) => (outcome.ok ? plain(outcome.value) : outcome.error.code);
  const fix = 'Use ctx alone: no files, no environment, no network, no state outside of the call.';
  if (before.played.outcome.ok !== again.played.outcome.ok) {
    return [{ what: `${name} ${describeOutcome(again.played)} there`, where, fix }];
  }
  if (!isDeepStrictEqual(asked(before).toSorted(), asked(again).toSorted()))
    return [{ what: `${name} asks otherwise there`, where, fix }];
  return isDeepStrictEqual(answered(before), answered(again))
    ? []
    : [{ what: `${name} answers otherwise there`, where, fix }];
}

/** The port of the fake service is another one each time. */
const withoutOrigin = (address: string): string => address.replace(/127\.0\.0\.1(%3A|:)\d+/gi, '127.0.0.1');

/** As it comes over the pipe: bytes are bytes, and what JSON cannot say is not there. */
function plain(value: unknown): unknown {
  if (value instanceof Uint8Array) return [...value];
  return JSON.parse(withoutOrigin(JSON.stringify(value) ?? 'null'));
}
