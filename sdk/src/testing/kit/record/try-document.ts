import type { AnyConnector } from '../../../connector.ts';
import { type ReadDocument, readDocument } from '../../../declarative/read-document.ts';
import { environmentName } from '../../../host/egress/egress-rules.ts';
import {
  createEgressGate,
  createMapper,
  createSecretMask,
  type EgressGate,
  type EgressOptions,
} from '../../../host/index.ts';
import type { AnyConnectorCode } from '../../../server.ts';
import type { Fixtures } from '../../fixtures.ts';
import { CommandError } from '../commands/command-error.ts';
import type { FilledForm } from '../service/canary.ts';
import type { AskedOperation } from './ask-service.ts';
import { fixtureOf, proveClean } from './fixture-of.ts';
import { realForm } from './form-values.ts';
import { rootsOf } from './scrubbed-exchange.ts';
import { createShortLists } from './short-lists.ts';
import { foundIn, type TriedFinding } from './tried-finding.ts';
import { type TriedOperation, triedOperation } from './tried-operation.ts';
import { createRun, tryAll } from './try-operations.ts';
import { type TriedReport, tryReport } from './try-report.ts';
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
  /** A report of the tool, as text, of a document that reads reports. */
  readonly report?: string | undefined;
}

/** What a document came to with the real service. No secret stands in it. */
export interface TriedDocument {
  /** Whose credentials these are; null where the check says nothing. */
  readonly identity: string | null;
  readonly operations: readonly TriedOperation[];
  /** Names of what findings belong to. */
  readonly applications: readonly string[];
  readonly findings: readonly TriedFinding[];
  /** Null where none was given, or the document reads none. */
  readonly report: TriedReport | null;
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
  const mapper = createMapper();
  const gate = createEgressGate(options);
  try {
    const read = readDocument(options.document, mapper);
    const [connector] = read.plugin.connectors;
    if (connector === undefined) throw new CommandError('The document has no connector.');
    const environment = Object.fromEntries(
      Object.entries(options.values).map(([name, value]) => [environmentName(connector.id, name), value]),
    );
    const form = await realForm(connector, { environment });
    const tried = await tryRead({ ...read, connector, form, gate }, options);
    proveClean(form, tried);
    return tried;
  } finally {
    await gate.close();
    await mapper.close();
  }
}

interface Opened extends Pick<ReadDocument, 'server' | 'parsers' | 'document'> {
  readonly connector: AnyConnector;
  readonly form: FilledForm;
  readonly gate: EgressGate;
}

async function tryRead(opened: Opened, options: TryOptions): Promise<TriedDocument> {
  const { connector, form, document, server } = opened;
  const { baseUrlOverride, sends = false } = options;
  const code = server.connectors[connector.id] ?? {};
  const { asked, operations, before, hasSecondPage } = await askOf(opened, code, options);
  const isUnsent = !sends && document.actions !== undefined;
  const report = await reportOf(opened, options);
  const isSound = operations.every(({ isOk }) => isOk) && report?.tried.isOk !== false;
  const recorded =
    isSound && !isUnsent ? await fixtureOf(asked, { before, folder: '', form, baseUrlOverride }) : undefined;
  const isPaged = document.findings?.paging !== undefined || document.findings?.targets?.paging !== undefined;
  const { applications, findings } = foundIn(recorded?.fixture.expect?.['findings.sync']);
  // of a card for uploads there is nothing to record
  const asksNothing = before.operations.length === 0;
  const connectors = asksNothing || recorded === undefined ? {} : { [connector.id]: recorded.fixture };
  return {
    identity: identityOf(asked, form),
    ...{ operations, applications, findings },
    report: report?.tried ?? null,
    fixtures: recorded === undefined ? null : { connectors, ...report?.fixture },
    scrubbed: countsOf([...(recorded?.scrubbed ?? []), ...(report?.scrubbed ?? [])]),
    isOnePage: isSound && isPaged && !hasSecondPage,
    isUnsent,
  };
}

async function askOf({ connector, form, document, gate }: Opened, code: AnyConnectorCode, options: TryOptions) {
  const { baseUrlOverride, timeoutMs = TIMEOUT_MS, sends = false } = options;
  const short = createShortLists(document, gate);
  const roots = rootsOf(connector, form.config, baseUrlOverride);
  const tried = await tryAll({
    ...{ connector, code, sends, watch: short.watch },
    calls: sends ? callsOf(code, form.config) : {},
    run: createRun({ connector, form, gate: short.gate, baseUrlOverride, mayFail: true, timeoutMs }),
    tell: (one) => triedOperation(one, { document, form, roots }),
  });
  return { ...tried, hasSecondPage: short.hasSecondPage() };
}

async function reportOf({ parsers: [parser], form }: Opened, { report }: TryOptions) {
  if (parser === undefined || report === undefined) return undefined;
  const { tried, recorded, scrubbed } = await tryReport(parser, report, form.secrets);
  return { tried, scrubbed, fixture: recorded === null ? {} : { reports: { [parser.tool]: [recorded] } } };
}

function identityOf(asked: readonly AskedOperation[], { secrets }: FilledForm): string | null {
  const value: unknown = asked.find(({ operation: { name } }) => name === 'check')?.value;
  const identity: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, 'identity') : undefined;
  if (typeof identity !== 'string') return null;
  const mask = createSecretMask();
  for (const secret of Object.values(secrets)) mask.add(secret);
  return mask.text(identity);
}

/** By kind, of all that was recorded. */
const countsOf = (all: readonly (readonly [kind: string, count: number])[]): TriedDocument['scrubbed'] =>
  [...Map.groupBy(all, ([kind]) => kind)].map(([kind, parts]) => ({
    kind,
    count: parts.reduce((sum, [, count]) => sum + count, 0),
  }));
