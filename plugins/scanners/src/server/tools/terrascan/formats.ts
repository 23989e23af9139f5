import { failedTest, junitShape } from '../../formats/junit.ts';
import type { XmlFormat } from '../../formats/xml-report.ts';
import { type Violation, violationCheck } from './schema.ts';

const NAME = 'Terrascan';

/** Attributes of a violation are named as the fields of the JSON. Source: terrascan pkg/results/types.go. */
export const XML: XmlFormat<Violation> = {
  shape: { root: 'results', namespace: '', records: ['violations/violation'], tool: NAME },
  check: violationCheck,
  record: ({ element }) => Object.fromEntries(element.attributes),
};

/** Labels of a failure's message, in order. Source: terrascan pkg/writer/junit_xml.go. */
const LABELS = [
  ['Description', 'description'],
  ['File', 'file'],
  ['Line', 'line'],
  ['Severity', 'severity'],
  ['Rule Name', 'rule_name'],
  ['Rule ID', 'rule_id'],
  ['Resource Name', 'resource_name'],
  ['Resource Type', 'resource_type'],
  ['Category', 'category'],
] as const;

/** Tests are rules that passed, violations, and skipped violations. */
export const JUNIT: XmlFormat<Violation> = {
  shape: junitShape(NAME),
  check: violationCheck,
  record(element) {
    const test = failedTest(element);
    return test === undefined ? undefined : labelled(test.failure.get('message') ?? '');
  },
};

/** `Description: a, b, File: main.tf, Line: 3 …`: read from the end, as a description may hold any of the labels. */
function labelled(message: string): Record<string, string> {
  const found: Record<string, string> = {};
  let rest = message;
  for (const [label, field] of LABELS.toReversed()) {
    const mark = `${label}: `;
    const at = field === 'description' ? rest.indexOf(mark) : rest.lastIndexOf(`, ${mark}`);
    if (at < 0) continue;
    const value = rest.slice(at + mark.length + (field === 'description' ? 0 : 2)).trim();
    if (value !== '' && value !== '""') found[field] = value;
    rest = rest.slice(0, at);
  }
  return found;
}

export type TerrascanFormat = 'xml' | 'junit' | 'yaml';

/** The format of a report that is not JSON; undefined for another tool's. */
export function formatOf(start: string): TerrascanFormat | undefined {
  if (JUNIT_START.test(start)) return 'junit';
  if (XML_START.test(start)) return 'xml';
  return YAML_START.test(start) ? 'yaml' : undefined;
}

const JUNIT_START = /^(?:<\?xml[^>]*\?>\s*)?<testsuites[^<>]*\sname="TERRASCAN_POLICY_SUITES"/;
const XML_START =
  /^(?:<\?xml[^>]*\?>\s*)?<results>\s*<(?:violations|scan_errors|passed_rules|skipped_violations|scan_summary)\b/;
const YAML_START =
  /^(?:---[ \t]*\n)?results:[ \t]*\r?\n(?:.*\n)*? +(?:violations|skipped_violations|passed_rules|scan_summary):/;

const WRONG_NAME = Buffer.from(' file/folder="');

/**
 * The summary's attribute `file/folder` is no name that XML allows. In texts its quote would be written `&#34;`, so the one that is
 * found is the attribute.
 */
export function repaired(bytes: Buffer): Buffer {
  const at = bytes.indexOf(WRONG_NAME);
  if (at >= 0) bytes[at + ' file'.length] = '_'.charCodeAt(0);
  return bytes;
}
