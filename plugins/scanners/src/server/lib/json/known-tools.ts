import { headText } from '../input/decode.ts';
import { hasKeys, innerHas, type JsonSketch, sketchJson, textsUnder } from './sketch.ts';

/**
 * Formats that people upload under the wrong name. Only for the hint in a refusal ("looks like Bandit"):
 * recognising a report for import is each parser's own `recognise`.
 */
const JSON_MARKS: readonly (readonly [tool: string, matches: (sketch: JsonSketch) => boolean])[] = [
  ['SARIF', (s) => hasKeys(s, 'runs') && (hasKeys(s, 'version') || hasKeys(s, '$schema'))],
  ['CycloneDX', (s) => s.texts.get('bomFormat') === 'CycloneDX'],
  ['SPDX', (s) => hasKeys(s, 'spdxVersion') || /spdx/i.test(s.texts.get('@context') ?? '')],
  [
    'SPDX',
    (s) => innerHas(s, 'packages', 'SPDXID') || innerHas(s, '@graph', 'spdxId') || innerHas(s, 'sbom', 'SPDXID'),
  ],
  [
    'Bandit',
    (s) =>
      hasKeys(s, 'generated_at', 'metrics') ||
      innerHas(s, 'results', 'test_name', 'issue_text') ||
      hasKeys(s, 'test_name', 'issue_text'),
  ],
  ['OpenGrep or Semgrep', (s) => innerHas(s, 'results', 'check_id') || hasKeys(s, 'check_id', 'extra')],
  ['KICS', (s) => hasKeys(s, 'queries') && (hasKeys(s, 'kics_version') || hasKeys(s, 'files_scanned'))],
  [
    'Checkov',
    (s) => hasKeys(s, 'check_type') || innerHas(s, 'results', 'failed_checks') || hasKeys(s, 'checkov_version'),
  ],
  ['Terrascan', (s) => innerHas(s, 'results', 'violations') || innerHas(s, 'results', 'scan_summary')],
  ['Grype', (s) => hasKeys(s, 'matches') && (hasKeys(s, 'descriptor') || innerHas(s, 'matches', 'artifact'))],
  [
    'Trivy',
    (s) =>
      (hasKeys(s, 'SchemaVersion') && !hasKeys(s, 'ProductArn')) || hasKeys(s, 'Target') || hasKeys(s, 'ClusterName'),
  ],
  ['OWASP Dependency-Check', (s) => hasKeys(s, 'dependencies') && hasKeys(s, 'reportSchema')],
  ['Syft', (s) => hasKeys(s, 'artifacts', 'schema') || innerHas(s, 'artifacts', 'name', 'foundBy')],
  ['Gitleaks', (s) => hasKeys(s, 'RuleID', 'Secret') || hasKeys(s, 'offender', 'rule')],
  ['TruffleHog', (s) => hasKeys(s, 'SourceMetadata') || hasKeys(s, 'stringsFound') || hasKeys(s, 'DetectorName')],
  ['TruffleHog', (s) => hasKeys(s, 'rule', 'secret', 'path') || s.texts.get('logger') === 'trufflehog'],
  ['Nuclei', (s) => hasKeys(s, 'template-id') || hasKeys(s, 'templateID') || hasKeys(s, 'template', 'matched')],
  ['TFLint', (s) => hasKeys(s, 'issues', 'errors')],
  ['Hadolint', (s) => s.root === 'array' && hasKeys(s, 'code', 'level', 'line', 'file')],
  ['Prowler', (s) => hasKeys(s, 'CheckID') || hasKeys(s, 'Control ID', 'Control') || hasKeys(s, 'finding_info')],
  ['CloudSploit', (s) => hasKeys(s, 'plugin', 'category', 'status')],
  ['chain-bench', (s) => innerHas(s, 'results', 'id', 'result', 'remediation')],
  ['DevSkim', (s) => hasKeys(s, 'rule_id', 'rule_name', 'filename')],
  ['GitLab', (s) => hasKeys(s, 'vulnerabilities', 'scan') || innerHas(s, 'vulnerabilities', 'identifiers', 'location')],
  ['GitHub', (s) => hasKeys(s, 'html_url', 'rule') || hasKeys(s, 'secret_type')],
  ['Dependabot', (s) => hasKeys(s, 'security_advisory') || hasKeys(s, 'security_vulnerability')],
];

/** Name of the tool whose report this seems to be. */
export function guessTool(bytes: Uint8Array): string | undefined {
  const head = bytes.subarray(0, 64 * 1024);
  const start = headText(head).toString('utf8', 0, 4_096).trimStart();
  if (start.startsWith('<')) return guessXml(start);
  if (isCheckmarxJson(head)) return 'Checkmarx';
  const sketch = sketchJson(head);
  return JSON_MARKS.find(([, matches]) => matches(sketch))?.[0];
}

/** True for Checkmarx's JSON of every kind but CxOSA's; it also writes GitLab's format, where only a name tells. */
export function isCheckmarxJson(head: Uint8Array): boolean {
  const sketch = sketchJson(head);
  if (hasKeys(sketch, 'xissues') || hasKeys(sketch, 'RiskReportSummary')) return true;
  if (innerHas(sketch, 'results', 'similarityId', 'state') || hasKeys(sketch, 'totalCount', 'scanID')) return true;
  const isReport = ['scanResults', 'scanInformation', 'executiveSummary'].some((key) => sketch.keys.has(key));
  if (hasKeys(sketch, 'reportHeader') && isReport) return true;
  if (!hasKeys(sketch, 'scan')) return false;
  return [...textsUnder(head, 'scanner', 'name'), ...textsUnder(head, 'analyzer', 'name')].some((name) =>
    /^checkmarx/i.test(name),
  );
}

function guessXml(start: string): string | undefined {
  if (/dependency-check/i.test(start)) return 'OWASP Dependency-Check';
  if (/cyclonedx\.org/i.test(start)) return 'CycloneDX';
  if (/<(?:FVDL|ReportDefinition)|^<Scan>/.test(start)) return 'Fortify';
  if (/<CxXMLResults/.test(start)) return 'Checkmarx';
  return /<(?:!doctype\s+html|html|body)/i.test(start)
    ? 'a web server (an HTML page, often an error or sign-in page)'
    : undefined;
}

/** True for a page that a proxy or sign-in form put in the place of the report. */
export function isWebPage(bytes: Uint8Array): boolean {
  return /^\s*<(?:!doctype\s+html|html)/i.test(headText(bytes.subarray(0, 1_024)).toString('utf8'));
}
