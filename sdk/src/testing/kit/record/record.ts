import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { AnyConnector } from '../../../connector.ts';
import { environmentName } from '../../../host/egress/egress-rules.ts';
import { createEgressGate } from '../../../host/index.ts';
import type { ConnectorFixture } from '../../fixtures.ts';
import { CommandError } from '../commands/command-error.ts';
import { type LoadedFolder, loadPlugin } from '../load-plugin.ts';
import { hasService, openSubject } from '../service/subject.ts';
import { type AskedOperation, askService, isReading } from './ask-service.ts';
import { fixtureOf } from './fixture-of.ts';
import { type Ask, type Environment, realForm } from './form-values.ts';
import type { Scrubbed } from './scrub.ts';

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
  const { fixture, exchanges, scrubbed } = await fixtureOf(asked, { before, folder: root, form, baseUrlOverride });
  await writeFixture(root, connector.id, fixture);
  return {
    connector: connector.id,
    operations: reading.map(({ name }) => name),
    notRecorded: before.operations.filter((one) => !isReading(one)).map(({ name }) => name),
    exchanges,
    scrubbed,
    failures: asked.flatMap(({ failure }) => failure ?? []),
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

async function writeFixture(folder: string, id: string, fixture: ConnectorFixture): Promise<void> {
  const file = join(folder, 'conformance.json');
  const text = await readFile(file, 'utf8').catch(() => '{"connectors":{}}');
  const content = JSON.parse(text);
  content.connectors = { ...content.connectors, [id]: fixture };
  await writeFile(file, `${JSON.stringify(content, null, 2)}\n`);
}
