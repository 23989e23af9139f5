import type { ParseOptions, ReportInfo, ReportParser, ReportRecord } from '@breakwater/sdk';
import { partOf, scanFailure } from '../../lib/findings/coverage.ts';
import { advised, readByStart, startText } from '../../lib/formats/by-start.ts';
import {
  type FailedTest,
  failedTest,
  junitShape,
  readXmlReport,
  type XmlFormat,
} from '../../lib/formats/xml-report.ts';
import { wrongTool } from '../../lib/json/records.ts';
import type { JsonNode, JsonShape } from '../../lib/json/report.ts';
import { hasKeys, innerHas, sketchJson } from '../../lib/json/sketch.ts';
import { LATER, type StreamReader } from '../../lib/json/stream-parser.ts';
import { defined, fields, label, list } from '../../lib/values/read.ts';
import { orSarif } from '../sarif/coverage.ts';
import { readJsonOrSarif, sarifScore } from '../sarif/parser.ts';
import { SARIF_WRITERS } from '../sarif/writers.ts';
import { checkFinding, type FailedCheck, failedCheck } from './check.ts';

/** Passed and skipped checks are no findings: only the failed ones are looked at. */
const SHAPE: JsonShape = {
  check_type: 'value',
  results: { object: { failed_checks: 'records', parsing_errors: 'value' } },
  summary: 'value',
  checkov_version: 'value',
};
const SARIF = SARIF_WRITERS.checkov;
const NAME = SARIF.name;

function recogniseCheckov(head: Uint8Array): number {
  if (isJunit(startText(head))) return 0.97;
  const sketch = sketchJson(head);
  const isReport = hasKeys(sketch, 'check_type', 'results') || innerHas(sketch, 'results', 'failed_checks');
  if (isReport || innerHas(sketch, 'results', 'passed_checks')) return 0.98;
  // What it writes when there was nothing to check.
  if (hasKeys(sketch, 'checkov_version', 'failed')) return 0.98;
  return hasKeys(sketch, 'check_id', 'check_result') ? 0.9 : sarifScore(head, SARIF);
}

/** @throws ReportError */
const parseCheckov = (report: AsyncIterable<Uint8Array>, options: ParseOptions): AsyncIterable<ReportRecord> =>
  readByStart(report, (start) =>
    isJunit(start) ? (whole) => parseJunit(whole, options) : (whole) => parseJson(whole, options),
  );

const parseJunit = (report: AsyncIterable<Uint8Array>, { signal, family }: ParseOptions): AsyncIterable<ReportRecord> =>
  readXmlReport(report, JUNIT, signal, (check) => checkFinding(check, { checkType: checkTypeOf(check), family }));

const parseJson = (report: AsyncIterable<Uint8Array>, options: ParseOptions): AsyncIterable<ReportRecord> =>
  readJsonOrSarif(report, options, { writer: SARIF, shape: SHAPE, emptyForms: ['[]'] }, () => createReader(options));

/** One report per framework that was checked (terraform, dockerfile …): one object, or a list of them. */
function createReader({ family }: ParseOptions): StreamReader {
  let isInformed = false;
  const frameworks = new Set<string>();
  return {
    lists: {
      failed_checks: (results) => {
        const document = results?.root;
        // The framework stands in front of the results.
        if (document?.isClosed === false && !document.values.has('check_type')) return LATER;
        const checkType = label(document?.values.get('check_type'));
        return { check: failedCheck, read: (check: FailedCheck) => checkFinding(check, { checkType, family }) };
      },
      report: () => ({ check: failedCheck, read: (check: FailedCheck) => looseFinding(check, family) }),
    },
    *document(document) {
      const isOurs = document.values.has('checkov_version') || label(document.values.get('check_type')) !== undefined;
      if (!isOurs && document.child('results')?.lists.has('failed_checks') !== true)
        throw wrongTool(NAME, 'it has no “failed_checks”');
      if (!isInformed) yield reportInfo(document);
      isInformed = true;
      const framework = label(document.values.get('check_type'));
      if (framework !== undefined) frameworks.add(framework);
      yield* parsingErrors(document);
    },
    *end() {
      // a scan of several does not list those of which there is no file
      const [framework] = frameworks;
      if (frameworks.size === 1) yield* partOf({ framework });
    },
  };
}

function* parsingErrors(document: JsonNode): Generator<ReportRecord> {
  const files = list(document.child('results')?.values.get('parsing_errors')).slice(0, 100);
  for (const file of files) yield scanFailure(`${label(file) ?? 'A file'} could not be parsed.`);
  const count = Number(fields(document.values.get('summary')).parsing_errors ?? 0);
  if (files.length === 0 && count > 0) yield scanFailure(`${count} files could not be parsed.`);
}

function looseFinding(check: FailedCheck, family: string | undefined): ReportRecord | undefined {
  const { result } = fields(fields(check).check_result);
  return result === undefined || result === 'FAILED' ? checkFinding(check, { family }) : undefined;
}

function reportInfo(document: JsonNode): ReportInfo {
  const version = fields(document.values.get('summary')).checkov_version ?? document.values.get('checkov_version');
  return defined({ kind: 'report' as const, toolName: NAME, toolVersion: label(version) });
}

export const checkov: ReportParser = {
  tool: 'checkov',
  formats: ['json', 'junitxml', 'sarif'],
  reads: orSarif({
    part: { framework: '`check_type`, where there is one only' },
    failure: ['`results.parsing_errors[]`', '`summary.parsing_errors` above 0'],
    identity: 'check, path and resource',
  }),
  recognise: recogniseCheckov,
  parse: advised(parseCheckov, 'checkov -o json'),
};

const TEST = /^\[(\w+)\]\[([^\]]+)\] (.*)$/s;

/** What a test says, as the JSON report would. Source: checkov/common/output/report.py, `get_test_suite`, since 2.0. */
export const JUNIT: XmlFormat<FailedCheck> = {
  shape: junitShape(NAME),
  check: failedCheck,
  record(element) {
    // Tests of another tool have no id of a check, passed or not.
    if (!TEST.test(element.element.attributes.get('name') ?? '')) return {};
    const test = failedTest(element);
    return test === undefined ? undefined : checkOf(test);
  },
};

/** Framework of a test, `terraform scan`. */
export const checkTypeOf = (check: FailedCheck & { suite?: unknown }): string | undefined =>
  typeof check.suite === 'string' ? /^(\w+) scan$/.exec(check.suite)?.[1] : undefined;

function checkOf(test: FailedTest): Record<string, unknown> {
  const [, severity, id, name] = TEST.exec(test.name) ?? [];
  const [head = '', code = ''] = split(test.text);
  const field = (label: string) => said(head, label);
  const [, start, end] = /: (\d+)-(\d+)$/.exec(field('File') ?? '') ?? [];
  return {
    check_id: id,
    check_name: test.failure.get('message') ?? name,
    severity: severity === 'NONE' ? null : severity,
    resource: field('Resource'),
    file_path: test.file ?? field('File')?.replace(/: \d+-\d+$/, ''),
    file_line_range: [start, end],
    guideline: field('Guideline'),
    code_block: codeLines(code),
    suite: test.suite,
    ...(test.suite === 'sca_package scan' ? packageOf(id, name, field) : {}),
  };
}

/** A vulnerable package: the name of the test is `[HIGH][CVE-2019-19844] django: 1.2`. */
function packageOf(id: string | undefined, name: string | undefined, field: (label: string) => string | undefined) {
  const [, packageName, version] = /^(.+): (.*)$/s.exec(name ?? '') ?? [];
  const details = {
    id,
    package_name: packageName,
    package_version: version,
    description: field('Description'),
    link: field('Link'),
    cvss: field('Base Score'),
    vector: field('Vector'),
    status: field('  Status'),
    lowest_fixed_version: field('  Fixed Version'),
  };
  return {
    check_id: `CKV_${id?.replaceAll('-', '_')}`,
    short_description: `${id} - ${name}`,
    vulnerability_details: details,
  };
}

/** What is said about the resource, and its code. */
function split(text: string): string[] {
  const code = /^[ \t]*\d+ *\| /m.exec(text);
  return code === null ? [text, ''] : [text.slice(0, code.index), text.slice(code.index)];
}

function said(text: string, label: string): string | undefined {
  const line = text.split('\n').find((part) => part.startsWith(`${label}: `));
  const value = line?.slice(label.length + 2).trim();
  return value === 'None' || value === '' ? undefined : value;
}

/** `71 | resource "a" "b" {` on each line. */
function codeLines(text: string): unknown[] {
  return text
    .split('\n')
    .map((line) => /^\s*(\d+) *\| (.*)$/.exec(line))
    .flatMap((match) => (match === null ? [] : [[Number(match[1]), match[2]]]));
}

const XML_START = /^(?:<\?xml[^>]*\?>\s*)?<testsuites\b/;

/** True for JUnit's XML whose suites Checkov named. */
export const isJunit = (start: string): boolean =>
  XML_START.test(start) &&
  /<testsuite\b[^<>]*\bname="(?:terraform|terraform_plan|cloudformation|kubernetes|kustomize|helm|dockerfile|serverless|arm|bicep|ansible|argo_workflows|openapi|json|yaml|secrets|cdk|github_actions|github_configuration|gitlab_ci|gitlab_configuration|bitbucket_pipelines|bitbucket_configuration|circleci_pipelines|azure_pipelines|sca_package|sca_image|sast\w*|3d_policy|policy_3d) scan"/.test(
    start,
  );
