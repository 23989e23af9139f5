import type { Json } from '../../../context.ts';
import { readDocument } from '../../../declarative/read-document.ts';
import { isNormalizedFinding } from '../../../findings/finding-schema.ts';
import { environmentName } from '../../../host/egress/egress-rules.ts';
import { createEgressGate, createMapper, createSecretMask, type EgressOptions } from '../../../host/index.ts';
import type { Fixtures } from '../../fixtures.ts';
import { CommandError } from '../commands/command-error.ts';
import type { FilledForm } from '../service/canary.ts';
import type { AskedOperation } from './ask-service.ts';
import { fixtureOf, proveClean } from './fixture-of.ts';
import { realForm } from './form-values.ts';
import { rootsOf } from './scrubbed-exchange.ts';
import { createShortLists } from './short-lists.ts';
import { type TriedOperation, triedOperation } from './tried-operation.ts';
import { createRun, tryAll } from './try-operations.ts';
import { callsOf } from './try-sending.ts';

export interface TryOptions extends EgressOptions {
  readonly document: unknown;
  /** Values of the form by field, as text; lists and pairs as JSON. */
  readonly values: Readonly<Record<string, string>>;
  /** Address of the service instead of the document's. */
  readonly baseUrlOverride?: URL | undefined;
  /** Of each operation. Default 20 s. */
  readonly timeoutMs?: number;
  /** Sends one message and makes one ticket, of a document that says how. Default false: only what reads is tried. */
  readonly sends?: boolean;
}

/** A finding as the mapping gives it. */
export interface TriedFinding {
  readonly ruleId: string;
  readonly title: string;
  readonly severity: string;
  readonly type: string;
  /** File and line, component or resource; empty where the finding has none. */
  readonly place: string;
}

/** What a document came to with the real service. No secret stands in it. */
export interface TriedDocument {
  /** Whose credentials these are; null where the check says nothing. */
  readonly identity: string | null;
  readonly operations: readonly TriedOperation[];
  /** Names of what findings belong to. */
  readonly applications: readonly string[];
  readonly findings: readonly TriedFinding[];
  /** Content of `conformance.json`; null unless everything succeeded. */
  readonly fixtures: Fixtures | null;
  /** What was replaced in the answers, by kind. */
  readonly scrubbed: readonly { readonly kind: string; readonly count: number }[];
  /** The document reads pages, and the account has one page only. */
  readonly isOnePage: boolean;
  /** The document sends something, and was not allowed to: nothing is recorded. */
  readonly isUnsent: boolean;
}

const TIMEOUT_MS = 20_000;

/**
 * Runs check and the beginning of each list of a document against the real service, and records that as a fixture with secrets scrubbed.
 * @throws PluginError, CommandError where the form is incomplete or a recording would hold a secret
 */
export async function tryDocument(options: TryOptions): Promise<TriedDocument> {
  const { values, baseUrlOverride, timeoutMs = TIMEOUT_MS, sends = false } = options;
  const mapper = createMapper();
  const gate = createEgressGate(options);
  try {
    const { plugin, server, document } = readDocument(options.document, mapper);
    const [connector] = plugin.connectors;
    if (connector === undefined) throw new CommandError('The document has no connector.');
    const environment = Object.fromEntries(
      Object.entries(values).map(([name, value]) => [environmentName(connector.id, name), value]),
    );
    const form = await realForm(connector, { environment });
    const code = server.connectors[connector.id] ?? {};
    const short = createShortLists(document, gate);
    const run = createRun({ connector, form, gate: short.gate, baseUrlOverride, mayFail: true, timeoutMs });
    const roots = rootsOf(connector, form.config, baseUrlOverride);
    const tell = (one: AskedOperation) => triedOperation(one, { document, form, roots });
    const isUnsent = !sends && document.actions !== undefined;
    const calls = sends ? callsOf(code, form.config) : {};
    const { asked, operations, before } = await tryAll({
      connector,
      code,
      calls,
      sends,
      run,
      tell,
      watch: short.watch,
    });
    const isSound = operations.every(({ isOk }) => isOk);
    const recorded =
      isSound && !isUnsent ? await fixtureOf(asked, { before, folder: '', form, baseUrlOverride }) : undefined;
    const isPaged = document.findings?.paging !== undefined || document.findings?.targets?.paging !== undefined;
    const tried: TriedDocument = {
      identity: identityOf(asked, form),
      operations,
      ...foundIn(recorded?.fixture.expect?.['findings.sync']),
      fixtures: recorded === undefined ? null : { connectors: { [connector.id]: recorded.fixture } },
      scrubbed: [...(recorded?.scrubbed ?? [])].map(([kind, count]) => ({ kind, count })),
      isOnePage: isSound && isPaged && !short.hasSecondPage(),
      isUnsent,
    };
    proveClean(form, tried);
    return tried;
  } finally {
    await gate.close();
    await mapper.close();
  }
}

function identityOf(asked: readonly AskedOperation[], { secrets }: FilledForm): string | null {
  const value: unknown = asked.find(({ operation: { name } }) => name === 'check')?.value;
  const identity: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, 'identity') : undefined;
  if (typeof identity !== 'string') return null;
  const mask = createSecretMask();
  for (const secret of Object.values(secrets)) mask.add(secret);
  return mask.text(identity);
}

/** What the replay of the recording gave: in it nothing stands that was not scrubbed. */
function foundIn(records: Json | undefined): Pick<TriedDocument, 'applications' | 'findings'> {
  const all: readonly unknown[] = Array.isArray(records) ? records : [];
  const findings = all.filter(isNormalizedFinding).map(({ ruleId, title, severity, type, ...finding }) => {
    const [location] = finding.locations ?? [];
    const line = location?.startLine === undefined ? '' : `:${location.startLine}`;
    const place = location === undefined ? (finding.component?.name ?? finding.resource ?? '') : location.path + line;
    return { ruleId, title, severity, type, place };
  });
  const targets = all.filter((record) => Reflect.get(Object(record), 'kind') === 'target');
  return { findings, applications: targets.map((target) => String(Reflect.get(Object(target), 'name'))) };
}
