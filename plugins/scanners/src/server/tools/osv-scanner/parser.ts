import type { NormalizedFinding, ParseOptions, ReportParser, ReportRecord } from '@breakwater/sdk';
import { Type } from 'typebox';
import { CheckoutPaths } from '../../lib/findings/checkout-paths.ts';
import { normalisePath } from '../../lib/findings/packages.ts';
import type { Cvss } from '../../lib/findings/severity.ts';
import { vulnerabilityFinding } from '../../lib/findings/vulnerability.ts';
import { wrongTool } from '../../lib/json/records.ts';
import type { JsonShape } from '../../lib/json/report.ts';
import { hasKeys, innerHas, sketchJson } from '../../lib/json/sketch.ts';
import type { StreamReader } from '../../lib/json/stream-parser.ts';
import { fields, label, labels, list, number } from '../../lib/values/read.ts';
import { recordCheck } from '../../lib/values/schema.ts';
import { orSarif } from '../sarif/coverage.ts';
import { readJsonOrSarif, sarifScore } from '../sarif/parser.ts';
import { SARIF_WRITERS } from '../sarif/writers.ts';
import { advisoryFacts, ecosystemOf, fixedIn } from './advisory.ts';

type Fields = Record<string, unknown>;

const SARIF = SARIF_WRITERS.osvScanner;
const NAME = SARIF.name;
const SHAPE: JsonShape = { results: 'records', experimental_config: 'value', image_metadata: 'value' };

/** A lock file, folder or inventory. Source: google/osv-scanner pkg/models/results.go, versions 1 and 2. */
const source = recordCheck(Type.Object({ source: Type.Object({}), packages: Type.Array(Type.Unknown()) }));

function recogniseOsv(head: Uint8Array): number {
  const sketch = sketchJson(head);
  if (innerHas(sketch, 'results', 'source', 'packages')) return 0.97;
  const isEmpty = hasKeys(sketch, 'results', 'experimental_config') && !hasKeys(sketch, 'runs');
  return isEmpty ? 0.9 : sarifScore(head, SARIF);
}

/** @throws ReportError */
const parseOsv = (report: AsyncIterable<Uint8Array>, options: ParseOptions): AsyncIterable<ReportRecord> =>
  readJsonOrSarif(report, options, { writer: SARIF, shape: SHAPE, writesNullLists: true }, createReader);

const createReader = (): StreamReader => {
  const paths = new CheckoutPaths();
  const results = {
    check: source,
    read(record: object): undefined {
      const { source: place, packages } = fields(record);
      for (const entry of list(packages).map(fields))
        for (const advisory of list(entry.vulnerabilities).map(fields))
          paths.hold(packageFinding(advisory, entry, normalisePath(fields(place).path)));
      return undefined;
    },
  };
  return {
    lists: { results: () => results, report: () => results },
    document(node) {
      if (!node.lists.has('results') && !node.values.has('results')) throw wrongTool(NAME, 'it has no “results”');
      return [];
    },
    *end() {
      yield { kind: 'report', toolName: NAME };
      yield* paths.release();
    },
  };
};

function packageFinding(advisory: Fields, entry: Fields, path: string | undefined): NormalizedFinding {
  const known = fields(entry.package);
  const name = label(known.name) ?? 'unnamed package';
  const ecosystem = ecosystemOf(known.ecosystem);
  const id = label(advisory.id) ?? '';
  const group = list(entry.groups)
    .map(fields)
    .find(({ ids }) => labels(ids).includes(id));
  const facts = advisoryFacts(advisory);
  return vulnerabilityFinding({
    ...facts,
    ids: [...facts.ids, ...labels(group?.aliases)],
    ratings: ratingsWith(facts.ratings ?? [], number(group?.max_severity)),
    package: { name, version: label(known.version), ecosystem, fixed: fixedIn(advisory, ecosystem, name) },
    paths: [path],
    tags: labels(entry.dependency_groups),
    suppressed: isUncalled(group, id)
      ? { verdict: 'false_positive', reason: 'OSV-Scanner found no call of the vulnerable code.' }
      : undefined,
  });
}

/** The group has the score, the advisory the vector that it was computed from. */
function ratingsWith(ratings: readonly (Cvss | undefined)[], score: number | undefined): readonly (Cvss | undefined)[] {
  if (score === undefined) return ratings;
  const known = ratings.filter((rating) => rating !== undefined);
  return known.length === 0 ? [{ version: 3, score }] : known.map((rating) => ({ score, ...rating }));
}

/** Call analysis says of each vulnerability of a group whether its code is called. */
function isUncalled(group: Fields | undefined, id: string): boolean {
  const analysis = fields(group?.experimentalAnalysis ?? group?.experimental_analysis);
  return Object.hasOwn(analysis, id) && fields(analysis[id]).called === false;
}

export const osvScanner: ReportParser = {
  tool: 'osv-scanner',
  formats: ['json', 'sarif'],
  reads: orSarif({ part: {}, failure: [], identity: 'vulnerability, package and lock file' }),
  recognise: recogniseOsv,
  parse: parseOsv,
};
