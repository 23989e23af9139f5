import { failedTest, junitShape } from '../../formats/junit.ts';
import type { XmlFormat } from '../../formats/xml-report.ts';
import { type GitleaksRecord, gitleaksCheck } from './schema.ts';

/** A failure holds the record of the JSON report as its text. Source: gitleaks report/junit.go, since 8.16. */
export const JUNIT: XmlFormat<GitleaksRecord> = {
  shape: junitShape('Gitleaks'),
  check: gitleaksCheck,
  record(element) {
    const test = failedTest(element);
    return test === undefined ? undefined : parsed(test.text);
  },
};

/** Null for a text that is no JSON, which no check accepts. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

export const isJunit = (start: string): boolean =>
  /^(?:<\?xml[^>]*\?>\s*)?<testsuites>\s*<testsuite [^>]*\bname="gitleaks"/.test(start);
