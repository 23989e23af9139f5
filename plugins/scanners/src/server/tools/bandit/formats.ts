import { cutOff } from '../../formats/block-yaml.ts';
import { failedTest } from '../../formats/junit.ts';
import type { XmlFormat } from '../../formats/xml-report.ts';
import { fields, isRecord } from '../../lib/read.ts';
import { type Issue, issueCheck } from './schema.ts';

const TEXT = /Test ID: (\w+) Severity: (\w+) Confidence: (\w+)/;
const WEAKNESS = /\nCWE: (?:CWE-(\d{1,5}) )?\(?(https?:\/\/[^\s)]+)?/;
const PLACE = /\nLocation [^\n]*?:(\d+)\s*$/;

/** Source: bandit/formatters/xml.py, versions 0.12 to 1.8; the weakness came with 1.7.3. */
export const XML: XmlFormat<Issue> = {
  shape: { root: 'testsuite', namespace: '', records: ['testcase'], tool: 'Bandit' },
  check: issueCheck,
  record(element) {
    const test = failedTest(element);
    if (test === undefined) return undefined;
    const [, id, severity, confidence] = TEXT.exec(test.text) ?? [];
    const [, cwe, link] = WEAKNESS.exec(test.text) ?? [];
    return {
      filename: test.classname,
      test_name: test.name,
      test_id: id,
      issue_severity: severity ?? test.failure.get('type'),
      issue_confidence: confidence,
      issue_cwe: { id: cwe, link },
      issue_text: test.failure.get('message'),
      line_number: PLACE.exec(test.text)?.[1],
      more_info: test.failure.get('more_info'),
    };
  },
};

/**
 * The code of an issue in YAML has `\n` in the place of its line ends: those before the number of a line are meant.
 * @throws ReportError report_malformed for a report that is cut off
 */
export function withLines(report: unknown): unknown {
  const { results } = fields(report);
  const last = Array.isArray(results) ? results.at(-1) : undefined;
  // Names are sorted: that of the test is the last one of a result, and the results are the last part of the report.
  if (
    !Array.isArray(results) ||
    (last !== undefined && !isRecord(last)) ||
    (isRecord(last) && typeof last.test_name !== 'string')
  ) {
    throw cutOff('the “test_name” of its last result');
  }
  for (const result of results) {
    if (!isRecord(result) || typeof result.code !== 'string') continue;
    result.code = result.code.replace(/\\n(?=\s*\d+[ \t]|\s*$)/g, '\n');
  }
  return report;
}

/** The format of a report that is neither JSON nor CSV; undefined for another tool's. */
export function formatOf(start: string): 'xml' | 'yaml' | undefined {
  if (/^(?:<\?xml[^>]*\?>\s*)?<testsuite name="bandit"/.test(start)) return 'xml';
  const isYaml =
    /^(?:---\s+)?errors:/.test(start) && start.includes('\ngenerated_at: ') && start.includes('\nmetrics:');
  return isYaml ? 'yaml' : undefined;
}
