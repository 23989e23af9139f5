import type { Json } from '../../../context.ts';
import type { ConnectorDocument } from '../../../declarative/document.ts';
import { readDocument } from '../../../declarative/read-document.ts';
import { recordsAt } from '../../../declarative/records.ts';
import { isNormalizedFinding } from '../../../findings/finding-schema.ts';
import { environmentName } from '../../../host/egress/egress-rules.ts';
import { createEgressGate, createMapper, createSecretMask, type EgressOptions } from '../../../host/index.ts';
import type { Fixtures } from '../../fixtures.ts';
import { CommandError } from '../commands/command-error.ts';
import type { FilledForm } from '../service/canary.ts';
import { openSubject } from '../service/subject.ts';
import { type AskedOperation, askService } from './ask-service.ts';
import { fixtureOf, proveClean } from './fixture-of.ts';
import { realForm } from './form-values.ts';
import { scrubbing } from './scrub.ts';
import { rootsOf, scrubbedExchange } from './scrubbed-exchange.ts';
import { createShortLists } from './short-lists.ts';

export interface TryOptions extends EgressOptions {
  readonly document: unknown;
  /** Values of the form by field, as text; lists and pairs as JSON. */
  readonly values: Readonly<Record<string, string>>;
  /** Address of the service instead of the document's. */
  readonly baseUrlOverride?: URL | undefined;
  /** Of each operation. Default 20 s. */
  readonly timeoutMs?: number;
}

/** What one operation came to. */
export interface TriedOperation {
  readonly name: string;
  readonly isOk: boolean;
  /** Why it did not succeed; empty where it did. */
  readonly message: string;
  /** What was asked, as `GET /account`. */
  readonly requests: readonly string[];
  /** The answer of the check, or the first record of findings; long texts and lists are cut. Null where there is none. */
  readonly answer: Json;
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
}

const TIMEOUT_MS = 20_000;

/**
 * Runs check and the beginning of each list of a document against the real service, and records that as a fixture with secrets scrubbed.
 * @throws PluginError, CommandError where the form is incomplete or a recording would hold a secret
 */
export async function tryDocument(options: TryOptions): Promise<TriedDocument> {
  const { values, baseUrlOverride, timeoutMs = TIMEOUT_MS } = options;
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
    const before = await openSubject({ connector, code, fixture: {}, folder: '' });
    const short = createShortLists(document, gate);
    const asked: AskedOperation[] = [];
    const operations: TriedOperation[] = [];
    for (const operation of before.operations) {
      const parts = { connector, form, gate: short.gate, baseUrlOverride, mayFail: true, timeoutMs };
      try {
        const [one] = await askService([short.watch(operation)], parts);
        if (one === undefined) continue;
        asked.push({ ...one, operation });
        operations.push(
          triedOperation(one, { document, form, roots: rootsOf(connector, form.config, baseUrlOverride) }),
        );
      } catch (error) {
        if (!(error instanceof CommandError)) throw error;
        operations.push({ name: operation.name, isOk: false, message: error.message, requests: [], answer: null });
      }
      if (operations.at(-1)?.isOk === false) break;
    }
    const isSound = operations.length === before.operations.length && operations.every(({ isOk }) => isOk);
    const recorded = isSound ? await fixtureOf(asked, { before, folder: '', form, baseUrlOverride }) : undefined;
    const isPaged = document.findings?.paging !== undefined || document.findings?.targets?.paging !== undefined;
    const tried: TriedDocument = {
      identity: identityOf(asked, form),
      operations,
      ...foundIn(recorded?.fixture.expect?.['findings.sync']),
      fixtures: recorded === undefined ? null : { connectors: { [connector.id]: recorded.fixture } },
      scrubbed: [...(recorded?.scrubbed ?? [])].map(([kind, count]) => ({ kind, count })),
      isOnePage: isSound && isPaged && !short.hasSecondPage(),
    };
    proveClean(form, tried);
    return tried;
  } finally {
    await gate.close();
    await mapper.close();
  }
}

interface Shown {
  readonly document: ConnectorDocument;
  readonly form: FilledForm;
  readonly roots: ReturnType<typeof rootsOf>;
}

function triedOperation({ operation: { name }, exchanges, failure }: AskedOperation, shown: Shown): TriedOperation {
  const { document, form, roots } = shown;
  const { result } = scrubbing(form.secrets, (scrubber) =>
    exchanges.map((raw) => ({ raw, scrubbed: scrubbedExchange(raw, roots, scrubber) })),
  );
  const body = result.at(-1)?.scrubbed.answer.body ?? null;
  return {
    name,
    isOk: failure === undefined,
    message: failure ?? '',
    requests: result.map(({ scrubbed: { method, path, search } }) => `${method} ${path}${search}`),
    answer: shapeOf(name === 'findings.sync' ? firstRecord(body, document) : body),
  };
}

/** Where the list is not where the document says, the answer itself shows why. */
function firstRecord(body: Json, { findings }: ConnectorDocument): Json {
  try {
    const [first] = recordsAt(body, findings?.records);
    return first === undefined ? body : JSON.parse(JSON.stringify(first.input));
  } catch {
    return body;
  }
}

const LONGEST_TEXT = 300;
const MOST_ITEMS = 3;
const MOST_FIELDS = 60;
const DEEPEST = 8;

/** A value as far as a person has to see it to name its fields. */
function shapeOf(value: Json, depth = 0): Json {
  if (typeof value === 'string') return value.length > LONGEST_TEXT ? `${value.slice(0, LONGEST_TEXT)}…` : value;
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= DEEPEST) return '…';
  if (Array.isArray(value)) return value.slice(0, MOST_ITEMS).map((item) => shapeOf(item, depth + 1));
  return Object.fromEntries(
    Object.entries(value)
      .slice(0, MOST_FIELDS)
      .map(([name, part]) => [name, shapeOf(part, depth + 1)]),
  );
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
