import type { NormalizedFinding, ReportParser, ReportRecord } from '@breakwater/sdk';
import { Type } from 'typebox';
import { CheckoutPaths } from '../../lib/findings/checkout-paths.ts';
import { scanFailures } from '../../lib/findings/coverage.ts';
import { normalisePath } from '../../lib/findings/packages.ts';
import { isoDate } from '../../lib/findings/text.ts';
import { vulnerabilityFinding } from '../../lib/findings/vulnerability.ts';
import { type JsonFormat, wrongTool } from '../../lib/json/records.ts';
import { hasKeys, innerHas, sketchJson } from '../../lib/json/sketch.ts';
import { readJson, type StreamReader } from '../../lib/json/stream-parser.ts';
import { defined, fields, label, labels, list, text } from '../../lib/values/read.ts';
import { recordCheck } from '../../lib/values/schema.ts';

type Fields = Record<string, unknown>;

const NAME = 'Retire.js';
/** A bare list before version 2. Source: RetireJS node/src/reporters/json.ts. */
const FORMAT: JsonFormat = {
  name: NAME,
  shape: { version: 'value', start: 'value', data: 'records', errors: 'value', messages: 'value' },
  emptyForms: ['[]'],
};
const fileCheck = recordCheck(Type.Object({ results: Type.Array(Type.Unknown()) }));

function recogniseRetire(head: Uint8Array): number {
  const sketch = sketchJson(head);
  if (innerHas(sketch, 'data', 'file', 'results') || innerHas(sketch, 'data', 'results')) return 0.97;
  if (sketch.root === 'array' && hasKeys(sketch, 'results') && innerHas(sketch, 'results', 'component', 'version'))
    return 0.95;
  return hasKeys(sketch, 'version', 'start', 'data') ? 0.9 : 0;
}

const createReader = (): StreamReader => {
  const paths = new CheckoutPaths();
  const files = {
    check: fileCheck,
    read(record: object): undefined {
      const entry = fields(record);
      const path = normalisePath(entry.file);
      paths.see(path);
      for (const library of list(entry.results).map(fields))
        for (const vulnerability of list(library.vulnerabilities).map(fields))
          paths.hold(libraryFinding(vulnerability, library, path));
      return undefined;
    },
  };
  return {
    lists: { data: () => files, report: () => files },
    *document({ lists, values }) {
      if (!lists.has('data')) throw wrongTool(NAME, 'it has no “data”');
      const date = isoDate(values.get('start'));
      yield defined({ kind: 'report' as const, toolName: NAME, toolVersion: label(values.get('version')), date });
      yield* scanFailures(
        list(values.get('errors')).map((error) => ({ error })),
        ({ error }) => label(error) ?? label(fields(error).message) ?? 'Retire.js reports an error.',
      );
    },
    end: () => paths.release(),
  };
};

function libraryFinding(vulnerability: Fields, library: Fields, path: string | undefined): NormalizedFinding {
  const known = fields(vulnerability.identifiers);
  const name = label(library.npmname) ?? label(library.component) ?? 'unnamed library';
  const below = label(vulnerability.below);
  const summary = text(known.summary);
  const ids = [...labels(known.githubID), ...labels(known.CVE), ...labels(known.retid)];
  // Old entries of its list have no identifier at all.
  const own = `${name} below ${below ?? 'any'}: ${summary ?? labels(vulnerability.info)[0] ?? 'vulnerable'}`;
  return vulnerabilityFinding({
    ids: ids.length > 0 ? ids : [label(own)],
    title: summary === undefined ? undefined : `${name}: ${summary}`,
    description: summary,
    nativeSeverity: label(vulnerability.severity),
    cwe: [vulnerability.cwe],
    references: [vulnerability.info],
    package: { name, version: label(library.version), ecosystem: 'npm', fixed: below === undefined ? [] : [below] },
    paths: [path],
    tags: [label(library.detection)],
  });
}

export const retirejs: ReportParser = {
  tool: 'retirejs',
  formats: ['json'],
  reads: { part: {}, failure: ['`errors[]`'], identity: 'vulnerability, library and file' },
  recognise: recogniseRetire,
  parse: (report, options): AsyncIterable<ReportRecord> => readJson(report, options, FORMAT, createReader),
};
