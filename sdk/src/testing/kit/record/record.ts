import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { AnyConnector } from '../../../connector.ts';
import type { Json } from '../../../context.ts';
import { environmentName } from '../../../host/egress/egress-rules.ts';
import { createEgressGate } from '../../../host/index.ts';
import type { ConnectorFixture, Exchange } from '../../fixtures.ts';
import { requestIssues, resultIssues } from '../checks/results.ts';
import { CommandError } from '../commands/command-error.ts';
import { type LoadedFolder, loadPlugin } from '../load-plugin.ts';
import { type FilledForm, findLeaks } from '../service/canary.ts';
import { playRecorded } from '../service/recorded.ts';
import { hasService, openSubject, type Subject } from '../service/subject.ts';
import { signatureOf, updateFixture } from '../update-fixtures.ts';
import { type AskedOperation, askService, isReading } from './ask-service.ts';
import { exactExchanges } from './exact-exchanges.ts';
import { type Ask, type Environment, realForm } from './form-values.ts';
import { type Scrubbed, scrubbing } from './scrub.ts';
import { rootsOf, scrubbedExchange } from './scrubbed-exchange.ts';

export interface RecordOptions {
  readonly environment: Environment;
  /** Asks a person for what the environment does not hold. Left out: nobody is asked. */
  readonly ask?: Ask | undefined;
  /** Which connector of the plugin; may be left out where only one talks to a service. */
  readonly connector?: string | undefined;
  /**
   * True: what an operation was answered is written also where it does not succeed yet, without a result, so that its author can correct the
   * mapping with real answers. Default false.
   */
  readonly isPartial?: boolean;
}

/** What was recorded. */
export interface Recording {
  readonly connector: string;
  /** Operations in the order in which they were asked. */
  readonly operations: readonly string[];
  /** Operations that only a person may let loose on a real service. */
  readonly notRecorded: readonly string[];
  readonly exchanges: number;
  readonly scrubbed: Scrubbed;
  /** Why operations did not succeed, of a partial recording. */
  readonly failures: readonly string[];
}

/**
 * Runs what a connector reads (`check`, `findings.sync` and others) against the real service and writes the conversation into
 * `conformance.json`, secrets scrubbed. What stands there for operations that write, `wrong` and `situations` stays.
 * Nothing is written unless it replays as it was recorded.
 * @throws CommandError, UnreadablePlugin
 */
export async function recordFixtures(folder: string, options: RecordOptions): Promise<Recording> {
  const root = resolve(folder);
  const loaded = await loadPlugin(root);
  const connector = chosen(loaded, options.connector);
  const code = loaded.server?.connectors[connector.id] ?? {};
  const known = loaded.fixtures.connectors[connector.id] ?? {};
  const { environment, ask, isPartial = false } = options;
  const form = await realForm(connector, { environment, ask, known: known.credentials });
  const before = await openSubject({ connector, code, fixture: known, folder: root });
  const reading = before.operations.filter(isReading);
  const baseUrlOverride = overrideOf(connector, environment);
  const gate = createEgressGate({ allowPrivateHosts: false, trusted: baseUrlOverride ? [baseUrlOverride.host] : [] });
  let asked: readonly AskedOperation[];
  try {
    asked = await askService(reading, { connector, form, gate, baseUrlOverride, mayFail: isPartial });
  } finally {
    await gate.close();
  }
  const roots = rootsOf(connector, form.config, baseUrlOverride);
  const { result, scrubbed } = scrubbing(form.secrets, (scrubber) => ({
    credentials: scrubber.json(jsonOf(form.config)),
    operations: asked.map(({ operation, exchanges, failure }) => ({
      operation,
      hasFailed: failure !== undefined,
      exchanges: exchanges.map((raw) => scrubbedExchange(raw, roots, scrubber)),
    })),
  }));
  const credentials = { ...keptSecrets(known, form), ...Object(result.credentials) };
  const exchanges = await exactExchanges(result.operations, { connector, credentials });
  const kept = await exchangesOfOthers(before, exchanges);
  const subject = await openSubject({
    connector,
    code,
    folder: root,
    fixture: { ...known, ...signatureOf(connector.auth), credentials, exchanges: [...exchanges, ...kept] },
  });
  const fixture = await updateFixture(subject);
  const failures = asked.flatMap(({ failure }) => failure ?? []);
  const sound = asked.filter(({ failure }) => failure === undefined).map(({ operation }) => operation.name);
  await proveReplay({ ...subject, fixture }, sound);
  proveClean(form, fixture);
  await writeFixture(root, connector.id, fixture);
  return {
    connector: connector.id,
    operations: reading.map(({ name }) => name),
    notRecorded: before.operations.filter((one) => !isReading(one)).map(({ name }) => name),
    exchanges: exchanges.length,
    scrubbed,
    failures,
  };
}

function chosen({ plugin, server }: LoadedFolder, id: string | undefined): AnyConnector {
  const able = plugin.connectors.filter(
    (one) => one.disabled === undefined && hasService({ code: server?.connectors[one.id] ?? {} }),
  );
  const found = id === undefined && able.length === 1 ? able[0] : able.find((one) => one.id === id);
  if (found !== undefined) return found;
  const names = able.map((one) => one.id).join(', ');
  throw new CommandError(
    names === ''
      ? 'No connector of this plugin talks to a service.'
      : `Say which connector: --connector, one of ${names}.`,
  );
}

/** The operator's own address of the service, named as in the product: `HARBOUR_SCAN_BASE_URL`. */
export function overrideOf({ id }: AnyConnector, environment: Environment): URL | undefined {
  const name = environmentName(id, 'base_url');
  const text = environment[name] ?? '';
  if (text === '') return undefined;
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) throw new CommandError(`${name} is no http or https address.`);
  return url;
}

function jsonOf(value: unknown): Json {
  return JSON.parse(JSON.stringify(value));
}

/** A secret of the fixture that must have a shape is the author's own; the real value never takes its place. */
function keptSecrets({ credentials = {} }: ConnectorFixture, { secrets }: FilledForm): Record<string, Json> {
  return Object.fromEntries(
    Object.entries(credentials).filter(([name, value]) => Object.hasOwn(secrets, name) && value !== secrets[name]),
  );
}

/** What the operations that were not recorded use of the fixture as it was. */
async function exchangesOfOthers(before: Subject, recorded: readonly Exchange[]): Promise<Exchange[]> {
  const others = before.operations.filter((one) => !isReading(one));
  if (others.length === 0 || before.fixture.exchanges === undefined) return [];
  const played = await playRecorded({ ...before, operations: others });
  const requests = new Set(recorded.map(({ request }) => JSON.stringify(request)));
  const used = new Set(played.flatMap((one) => one.used));
  return [...used].filter(({ request }) => !requests.has(JSON.stringify(request)));
}

async function proveReplay(subject: Subject, names: readonly string[]): Promise<void> {
  const operations = subject.operations.filter(({ name }) => names.includes(name));
  const recorded = await playRecorded({ ...subject, operations });
  const issues = recorded.flatMap((one) => [
    ...one.issues,
    ...requestIssues(subject, one),
    ...resultIssues(subject, one),
  ]);
  if (issues.length === 0) return;
  throw new CommandError(
    `Nothing was written: what was recorded does not replay.\n${issues.map(({ what }) => `  ${what}\n`).join('')}`,
  );
}

/** Fewer letters and digits stand by chance in a recording. */
const SHORTEST_CORE = 8;

/** The last look, by other means than those that scrubbed: whatever signs an encoding has put between, letters and digits stay. */
function proveClean({ secrets }: FilledForm, fixture: ConnectorFixture): void {
  const text = JSON.stringify(fixture);
  const letters = lettersOf(text);
  const fields = Object.entries(secrets).filter(([field, secret]) => {
    const core = lettersOf(secret);
    return findLeaks({ [field]: secret }, text).length > 0 || (core.length >= SHORTEST_CORE && letters.includes(core));
  });
  if (fields.length === 0) return;
  const names = fields.map(([field]) => field).join(', ');
  throw new CommandError(
    `Nothing was written: ${names} would still stand in the recording, encoded in a way that is not known. Record with another key that is used for this alone, and report it.`,
  );
}

const lettersOf = (text: string): string => text.replace(/[^A-Za-z0-9]/g, '');

async function writeFixture(folder: string, id: string, fixture: ConnectorFixture): Promise<void> {
  const file = join(folder, 'conformance.json');
  const text = await readFile(file, 'utf8').catch(() => '{"connectors":{}}');
  const content = JSON.parse(text);
  content.connectors = { ...content.connectors, [id]: fixture };
  await writeFile(file, `${JSON.stringify(content, null, 2)}\n`);
}
