import type { ParseOptions, ReportParser, ReportRecord } from '@breakwater/sdk';
import { lastingName, partOf, scanFailure } from '../../lib/findings/coverage.ts';
import { familyOf, imageName, normalisePath } from '../../lib/findings/packages.ts';
import { advised } from '../../lib/formats/by-start.ts';
import { type JsonFormat, wrongTool } from '../../lib/json/records.ts';
import type { JsonNode, JsonShape } from '../../lib/json/report.ts';
import { hasKeys, innerHas, sketchJson } from '../../lib/json/sketch.ts';
import { LATER, type ReaderOf, type RecordReader, readJson, type StreamReader } from '../../lib/json/stream-parser.ts';
import { defined, label } from '../../lib/values/read.ts';
import {
  type Misconfiguration,
  misconfigurationCheck,
  misconfigurationFinding,
  type Project,
  packageFinding,
  type Vulnerability,
  vulnerabilityCheck,
} from './issue.ts';

const NAME = 'Snyk';

const PROJECT: JsonShape = {
  vulnerabilities: 'records',
  infrastructureAsCodeIssues: 'records',
  filtered: { object: { ignore: 'records' } },
  ok: 'value',
  error: 'value',
  projectName: 'value',
  packageManager: 'value',
  displayTargetFile: 'value',
  targetFile: 'value',
  docker: { object: { image: 'value' } },
};
/** A container image brings the projects that were found inside it. */
const FORMAT: JsonFormat = { name: NAME, shape: { ...PROJECT, applications: { each: PROJECT } } };

function recogniseSnyk(head: Uint8Array): number {
  const sketch = sketchJson(head);
  if (innerHas(sketch, 'vulnerabilities', 'semver', 'packageName', 'id')) return 0.97;
  if (hasKeys(sketch, 'vulnerabilities', 'dependencyCount', 'ok')) return 0.97;
  if (hasKeys(sketch, 'infrastructureAsCodeIssues')) return 0.97;
  return hasKeys(sketch, 'ok', 'error', 'path') ? 0.85 : 0;
}

/** @throws ReportError */
const parseSnyk = (report: AsyncIterable<Uint8Array>, options: ParseOptions): AsyncIterable<ReportRecord> =>
  readJson(report, options, FORMAT, () => createReader(options));

function createReader({ family }: ParseOptions): StreamReader {
  /** What is about a project stands behind its results. */
  const whenClosed =
    (read: (node: JsonNode) => RecordReader<unknown>): ReaderOf =>
    (node) => {
      if (node === undefined) throw notOurs();
      return node.root.isClosed ? read(node) : LATER;
    };
  const packages = (isIgnored: boolean) =>
    whenClosed((node) => {
      const holder = isIgnored ? (node.parent ?? node) : node;
      const project = projectOf(holder, family, isIgnored);
      return { check: vulnerabilityCheck, read: (record: Vulnerability) => packageFinding(record, project) };
    });
  let isInformed = false;
  let projects = 0;
  let part: Parameters<typeof partOf>[0] = {};
  return {
    lists: {
      report: () => {
        throw notOurs();
      },
      vulnerabilities: packages(false),
      ignore: (node) => (node?.root.isClosed === true ? packages(true)(node) : LATER),
      infrastructureAsCodeIssues: whenClosed((node) => {
        const file = normalisePath(node.values.get('targetFile'));
        return {
          check: misconfigurationCheck,
          read: (record: Misconfiguration) => misconfigurationFinding(record, file),
        };
      }),
    },
    *document(document) {
      const { values, lists } = document;
      const error = label(values.get('error'));
      if (error !== undefined) yield scanFailure(error);
      else if (!lists.has('vulnerabilities') && !lists.has('infrastructureAsCodeIssues')) throw notOurs();
      if (!isInformed) yield defined({ kind: 'report' as const, toolName: NAME, target: imageOf(document) });
      isInformed = true;
      projects += 1;
      part = { project: lastingName(values.get('projectName')), file: fileOf(document) };
    },
    // With another project the same scan would be about another part.
    end: () => (projects === 1 ? partOf(part) : []),
  };
}

const notOurs = () => wrongTool(NAME, 'it has neither “vulnerabilities” nor “infrastructureAsCodeIssues”');

function projectOf(node: JsonNode, family: string | undefined, isIgnored: boolean): Project {
  const image = imageOf(node.root);
  return defined({
    file: fileOf(node),
    packageManager: label(node.values.get('packageManager')),
    image,
    family: familyOf(family, ['SCA', 'Container']) ?? (image === undefined ? ('SCA' as const) : ('Container' as const)),
    isIgnored,
  });
}

const fileOf = ({ values }: JsonNode): string | undefined =>
  normalisePath(values.get('displayTargetFile')) ?? normalisePath(values.get('targetFile'));

/** `docker-image|registry/app` */
function imageOf({ values, children }: JsonNode): string | undefined {
  const name = label(values.get('projectName'));
  if (name === undefined || (!children.has('docker') && !name.startsWith('docker-image|'))) return undefined;
  return imageName(name.replace(/^docker-image\|/, ''));
}

export const snyk: ReportParser = {
  tool: 'snyk',
  formats: ['json'],
  reads: {
    part: {
      project: '`projectName`, where there is one project only',
      file: '`displayTargetFile` of it',
    },
    failure: ['`error` of a project'],
    identity: 'issue, package and manifest',
  },
  recognise: recogniseSnyk,
  parse: advised(parseSnyk, 'snyk test --all-projects --json'),
};
