import type { NormalizedFinding, ParseOptions, ReportParser, ReportRecord } from '@breakwater/sdk';
import { Type } from 'typebox';
import { cvss } from '../../lib/findings/severity.ts';
import { isoDate } from '../../lib/findings/text.ts';
import { vulnerabilityFinding } from '../../lib/findings/vulnerability.ts';
import { advised, readByStart, startText } from '../../lib/formats/by-start.ts';
import { linesOf, readReport } from '../../lib/input/decode.ts';
import { type JsonFormat, Tally, wrongTool } from '../../lib/json/records.ts';
import { hasKeys, innerHas, sketchJson } from '../../lib/json/sketch.ts';
import { readJson, type StreamReader } from '../../lib/json/stream-parser.ts';
import { defined, fields, label, labels, text } from '../../lib/values/read.ts';
import { recordCheck } from '../../lib/values/schema.ts';

type Fields = Record<string, unknown>;

const NAME = 'bundler-audit';
const FORMAT: JsonFormat = {
  name: NAME,
  shape: { version: 'value', created_at: 'value', results: 'records' },
};

/** Source: rubysec/bundler-audit lib/bundler/audit/cli/formats/json.rb and results/*.rb, version 0.8 and later. */
const resultCheck = recordCheck(
  Type.Union([
    Type.Object({ gem: Type.Object({ name: Type.String({ minLength: 1 }) }), advisory: Type.Object({}) }),
    Type.Object({ type: Type.Literal('insecure_source'), source: Type.String() }),
  ]),
);

const END = /^(?:Vulnerabilities found!|No vulnerabilities found)$/m;
const FIRST = /^(?:Name: [^\n]{1,300}\n+Version: |Insecure Source URI found: )/m;

function recogniseBundler(head: Uint8Array): number {
  const start = startText(head);
  if (/^[[{]/.test(start)) {
    const sketch = sketchJson(head);
    if (innerHas(sketch, 'results', 'type', 'gem', 'advisory')) return 0.97;
    if (sketch.texts.has('created_at') && hasKeys(sketch, 'version', 'results')) return 0.85;
    return 0;
  }
  if (/^Name: [^\n]{1,300}\nVersion: [^\n]{1,300}\n(?:Advisory|CVE|GHSA|OSVDB|Criticality): /m.test(start)) return 0.95;
  return /^No vulnerabilities found\s*$/.test(start) || /^Insecure Source URI found: /.test(start) ? 0.9 : 0;
}

/** @throws ReportError */
const parseBundler = (report: AsyncIterable<Uint8Array>, options: ParseOptions): AsyncIterable<ReportRecord> =>
  readByStart(report, (start) => (whole) => {
    const isText = !/^[[{]/.test(start) && (FIRST.test(start) || END.test(start));
    return isText ? parseText(whole, options) : readJson(whole, options, FORMAT, createReader);
  });

const createReader = (): StreamReader => {
  const results = { check: resultCheck, read: (record: object) => resultFinding(fields(record)) };
  return {
    lists: { results: () => results, report: () => results },
    *document({ lists, values }) {
      if (!lists.has('results')) throw wrongTool(NAME, 'it has no “results”');
      // "2021-09-01 17:04:12 +0000" in the clock of the machine
      const date = isoDate(label(values.get('created_at'))?.replace(/ ([+-]\d{4})$/, '$1'));
      yield defined({ kind: 'report' as const, toolName: NAME, toolVersion: label(values.get('version')), date });
    },
  };
};

function resultFinding(result: Fields): NormalizedFinding {
  if (result.gem === undefined) return sourceFinding(label(result.source) ?? '');
  const gem = fields(result.gem);
  const advisory = fields(result.advisory);
  const name = label(gem.name) ?? 'unnamed gem';
  const cve = label(advisory.cve);
  const ghsa = label(advisory.ghsa);
  const rating = [cvss('3.1', advisory.cvss_v3, undefined), cvss('2.0', advisory.cvss_v2, undefined)];
  return vulnerabilityFinding({
    ids: [label(advisory.id), cve && prefixed('CVE-', cve), ghsa && prefixed('GHSA-', ghsa)],
    title: text(advisory.title),
    description: text(advisory.description),
    nativeSeverity: label(advisory.criticality),
    ratings: rating,
    references: [advisory.url],
    package: {
      name,
      version: label(gem.version),
      ecosystem: 'gem',
      fixed: labels(advisory.patched_versions).flatMap(fixedFrom),
    },
    paths: ['Gemfile.lock'],
    published: isoDate(advisory.date),
  });
}

const prefixed = (prefix: string, id: string): string => (id.toUpperCase().startsWith(prefix) ? id : `${prefix}${id}`);

/** `~> 1.6.11` and `>= 2.0.6` are fixes; `< 3.0.0` bounds the one before it. */
function fixedFrom(requirement: string): string[] {
  const version = /^'?(?:~>|>=|=)\s*(\d[\w.-]{0,80})/.exec(requirement.trim())?.[1];
  return version === undefined ? [] : [version];
}

function sourceFinding(source: string): NormalizedFinding {
  return {
    kind: 'finding',
    ruleId: 'insecure-source',
    title: `Gems are fetched from ${source.slice(0, 300)} without encryption`,
    type: 'Supply chain',
    severity: 'medium',
    resource: source.slice(0, 500) || 'unnamed source',
    locations: [{ path: 'Gemfile.lock' }],
  };
}

/** Paragraphs of `Name: value`. Source: lib/bundler/audit/cli/formats/text.rb; `Advisory` became `CVE` and `GHSA` with 0.8. */
async function* parseText(report: AsyncIterable<Uint8Array>, { signal }: ParseOptions): AsyncGenerator<ReportRecord> {
  const tally = new Tally();
  const bytes = await readReport(report, signal);
  yield { kind: 'report', toolName: NAME };
  let entry = new Map<string, string>();
  let start = 1;
  for (const { number, text: raw } of [...linesOf(bytes, signal), { number: 0, text: 'Name: end' }]) {
    const line = raw.trim();
    const source = /^Insecure Source URI found: (.+)$/.exec(line)?.[1];
    if (source !== undefined) {
      tally.readable += 1;
      yield sourceFinding(source);
    }
    if (END.test(line)) tally.readable += 1;
    const colon = line.indexOf(': ');
    const name = line.slice(0, colon);
    if (name === 'Name' && entry.size > 0) {
      yield* textRecords(entry, start, tally);
      entry = new Map();
    }
    if (name === 'Name') start = number;
    if (colon > 0 && (name === 'Name' || entry.size > 0)) entry.set(name, line.slice(colon + 2).trim());
  }
  tally.assertReadable((reason) => wrongTool(NAME, reason));
}

function* textRecords(entry: ReadonlyMap<string, string>, line: number, tally: Tally): Generator<ReportRecord> {
  const id = entry.get('CVE') ?? entry.get('Advisory') ?? entry.get('GHSA') ?? entry.get('OSVDB');
  if (id === undefined || !entry.has('Version')) {
    yield* tally.addUnreadable(`line ${line}`, 'has neither an advisory nor a version');
    return;
  }
  tally.readable += 1;
  yield resultFinding({
    gem: { name: entry.get('Name'), version: entry.get('Version') },
    advisory: {
      id,
      cve: /^CVE-/.test(id) ? id : undefined,
      ghsa: entry.get('GHSA'),
      criticality: entry.get('Criticality'),
      title: entry.get('Title'),
      url: entry.get('URL'),
      // Requirements of one release stand side by side: ">= 2.12.5, < 3.0.0, >= 3.7.2".
      patched_versions: (entry.get('Solution') ?? '').replace(/^upgrade to /, '').split(','),
    },
  });
}

export const bundlerAudit: ReportParser = {
  tool: 'bundler-audit',
  formats: ['json', 'text'],
  reads: { part: {}, failure: [], identity: 'advisory and gem' },
  recognise: recogniseBundler,
  parse: advised(parseBundler, 'bundle audit check --format json'),
};
