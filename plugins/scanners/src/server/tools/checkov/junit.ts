import { type FailedTest, failedTest, junitShape } from '../../formats/junit.ts';
import type { XmlFormat } from '../../formats/xml-report.ts';
import { type FailedCheck, failedCheck } from './schema.ts';

const NAME = 'Checkov';
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
