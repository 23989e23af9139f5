import type { Location, NormalizedFinding, ParseOptions, ReportParser, ReportRecord } from '@breakwater/sdk';
import { Type } from 'typebox';
import { CheckoutPaths } from '../../lib/findings/checkout-paths.ts';
import { scanFailure } from '../../lib/findings/coverage.ts';
import { normalisePath } from '../../lib/findings/packages.ts';
import { paragraphs } from '../../lib/findings/text.ts';
import { vulnerabilityFinding } from '../../lib/findings/vulnerability.ts';
import { type Tally, wrongTool } from '../../lib/json/records.ts';
import type { JsonNode, JsonShape } from '../../lib/json/report.ts';
import { hasKeys, sketchJson } from '../../lib/json/sketch.ts';
import type { StreamReader } from '../../lib/json/stream-parser.ts';
import { LIMITS } from '../../lib/limits.ts';
import { defined, fields, isRecord, label, list, position } from '../../lib/values/read.ts';
import { recordCheck } from '../../lib/values/schema.ts';
import { advisoryFacts, fixedIn } from '../osv-scanner/advisory.ts';
import { orSarif } from '../sarif/coverage.ts';
import { readJsonOrSarif, sarifScore } from '../sarif/parser.ts';
import { SARIF_WRITERS } from '../sarif/writers.ts';

type Fields = Record<string, unknown>;

const SARIF = SARIF_WRITERS.govulncheck;
const NAME = SARIF.name;
/** Before version 1.0 one object; since then messages one after the other, each of one kind. */
const SHAPE: JsonShape = { Vulns: 'records', Calls: 'value', Imports: 'value', Requires: 'value' };

/** A message. Source: golang.org/x/vuln internal/govulncheck/govulncheck.go, protocol 1.0. */
const message = recordCheck(
  Type.Union(['config', 'progress', 'SBOM', 'osv', 'finding'].map((kind) => Type.Object({ [kind]: Type.Object({}) }))),
);
/** An entry of `Vulns`. Source: the same, before version 1.0: one for each symbol. */
const oldVuln = recordCheck(Type.Object({ OSV: Type.Object({ id: Type.String() }) }));
const findingCheck = recordCheck(Type.Object({ osv: Type.String({ minLength: 1 }) }));

const WRITTEN = ['config', 'osv', 'finding', 'progress'];

function recogniseGovulncheck(head: Uint8Array): number {
  const sketch = sketchJson(head);
  if (hasKeys(sketch, 'Calls', 'Imports', 'Requires')) return 0.97;
  const config = sketch.inner.get('config');
  if (config?.has('scanner_name') === true && config.has('protocol_version')) return 0.97;
  const isMessage = sketch.keys.size === 1 && WRITTEN.some((kind) => sketch.inner.has(kind));
  return isMessage &&
    (sketch.inner.get('finding')?.has('trace') === true || sketch.inner.get('osv')?.has('affected') === true)
    ? 0.9
    : sarifScore(head, SARIF);
}

/** Advisories come before the findings that name them. A vulnerability is found for its module, its packages and each called symbol. */
class Messages {
  private readonly found: { key: string; precision: number; finding: NormalizedFinding }[] = [];
  private readonly precisions = new Map<string, number>();
  private readonly advisories = new Map<string, Fields>();
  private readonly tally: Tally;
  toolVersion: string | undefined;
  hasConfig = false;

  constructor(tally: Tally) {
    this.tally = tally;
  }

  *read(record: object, index: number): Generator<ReportRecord> {
    const { config, osv, finding } = fields(record);
    if (isRecord(config)) {
      this.hasConfig = true;
      this.toolVersion = label(config.scanner_version);
    }
    if (isRecord(osv)) this.advisories.set(label(osv.id) ?? '', osv);
    if (finding === undefined) return;
    if (findingCheck.accepts(finding)) this.hold(fields(finding));
    else yield* this.tally.addUnreadable(`message ${index + 1}`, findingCheck.issue());
  }

  private hold(finding: Fields): void {
    const [vulnerable = {}] = list(finding.trace).map(fields);
    const key = JSON.stringify([label(finding.osv), label(vulnerable.module)]);
    const precision = vulnerable.function !== undefined ? 2 : vulnerable.package !== undefined ? 1 : 0;
    this.precisions.set(key, Math.max(precision, this.precisions.get(key) ?? 0));
    this.found.push({ key, precision, finding: this.finding(finding) });
  }

  /** Of what is said of a module, its packages and its functions, the most precise. */
  *findings(): Generator<NormalizedFinding> {
    const paths = new CheckoutPaths();
    for (const { key, precision, finding } of this.found)
      if (precision === this.precisions.get(key)) paths.hold(finding);
    yield* paths.release();
  }

  private finding(finding: Fields): NormalizedFinding {
    const trace = list(finding.trace).slice(0, LIMITS.flowSteps).map(fields);
    const id = label(finding.osv) ?? '';
    const vulnerable = trace[0] ?? {};
    const fixed = withoutPrefix(label(finding.fixed_version));
    return goFinding({
      advisory: this.advisories.get(id) ?? { id },
      module: label(vulnerable.module),
      version: withoutPrefix(label(vulnerable.version)),
      symbol: [label(vulnerable.package), label(vulnerable.receiver), label(vulnerable.function)],
      fixed: fixed === undefined ? [] : [fixed],
      // From the vulnerable symbol back to the code that calls it.
      steps: trace.map(stepOf).filter((step) => step !== undefined),
    });
  }

  old(record: object, report: JsonNode): NormalizedFinding {
    const vuln = fields(record);
    const advisory = fields(vuln.OSV);
    const module = label(vuln.ModPath);
    const known = fields(fields(fields(report.values.get('Requires')).Modules)[label(vuln.RequireSink) ?? '']);
    return goFinding({
      advisory,
      module,
      version: withoutPrefix(label(known.Version)),
      symbol: [label(vuln.PkgPath), undefined, label(vuln.Symbol)],
      fixed: module === undefined ? [] : fixedIn(advisory, 'golang', module),
      steps: [],
    });
  }
}

interface GoFacts {
  advisory: Fields;
  module: string | undefined;
  version: string | undefined;
  symbol: readonly (string | undefined)[];
  fixed: readonly string[];
  steps: readonly Location[];
}

function goFinding({ advisory, module, version, symbol, fixed, steps }: GoFacts): NormalizedFinding {
  const facts = advisoryFacts(advisory);
  const name = symbol.filter((part) => part !== undefined).join('.');
  const finding = vulnerabilityFinding({
    ...facts,
    description: paragraphs(facts.description, name === '' ? undefined : `Vulnerable symbol: ${name}`),
    package: { name: module ?? 'unnamed module', version, ecosystem: 'golang', fixed },
    tags: [symbol[2] === undefined ? (symbol[0] === undefined ? 'required' : 'imported') : 'called'],
  });
  const called = steps.at(-1);
  return defined({
    ...finding,
    locations: called === undefined ? undefined : [called],
    codeFlows: steps.length > 1 ? [[...steps].reverse()] : undefined,
    language: 'go',
  });
}

function stepOf(frame: Fields): Location | undefined {
  const { filename, line, column } = fields(frame.position);
  const path = normalisePath(filename);
  if (path === undefined) return undefined;
  const called = [label(frame.receiver), label(frame.function)].filter((part) => part !== undefined).join('.');
  return defined({
    ...{ path, startLine: position(line), startColumn: position(column) },
    message: called === '' ? undefined : called,
  });
}

/** `v0.3.7` and `go1.21.4`: versions in package URLs of Go keep their `v`, OSV's ranges do not. */
const withoutPrefix = (version: string | undefined): string | undefined => version?.replace(/^go(?=\d)/, '');

/** @throws ReportError */
const parseGovulncheck = (report: AsyncIterable<Uint8Array>, options: ParseOptions): AsyncIterable<ReportRecord> =>
  readJsonOrSarif(report, options, { writer: SARIF, shape: SHAPE, writesNullLists: true }, (tally): StreamReader => {
    const messages = new Messages(tally);
    let isOld = false;
    return {
      lists: {
        report: () => ({ check: message, read: (record: object, index: number) => messages.read(record, index) }),
        Vulns: (node) => ({
          check: oldVuln,
          read: (record: object) => (node === undefined ? undefined : messages.old(record, node)),
        }),
      },
      document(node) {
        if (!node.lists.has('Vulns') && !node.values.has('Requires')) throw wrongTool(NAME, 'it has no “Vulns”');
        isOld = true;
        return [];
      },
      *end() {
        const { toolVersion } = messages;
        yield defined({ kind: 'report' as const, toolName: NAME, toolVersion });
        yield* messages.findings();
        if (!isOld && !messages.hasConfig) yield scanFailure('The report has no “config”: its beginning is missing.');
      },
    };
  });

export const govulncheck: ReportParser = {
  tool: 'govulncheck',
  formats: ['json', 'sarif'],
  reads: orSarif({ part: {}, failure: ['no message `config`'], identity: 'vulnerability, module and calling file' }),
  recognise: recogniseGovulncheck,
  parse: parseGovulncheck,
};
