import { FINDING_TYPES, type ReportRecord, SEVERITIES } from '@breakwater/sdk';

/** What is wrong with a record by the words of the sdk; empty when it is sound. */
export function recordIssues(record: ReportRecord): string[] {
  switch (record.kind) {
    case 'finding':
      return [...findingIssues(record), ...textIssues(record, record.kind)];
    case 'component':
      return [
        ...(record.ref === '' || record.name === '' ? ['a component needs ref and name'] : []),
        ...textIssues(record, record.kind),
      ];
    case 'unreadable':
      return record.where === '' || record.why === '' ? ['an unreadable record says where and why'] : [];
    default:
      return textIssues(record, record.kind);
  }
}

type Finding = Extract<ReportRecord, { kind: 'finding' }>;

function findingIssues(finding: Finding): string[] {
  const { ruleId, title, cvssScore, epss } = finding;
  const checks: [boolean, string][] = [
    [ruleId.length > 0 && ruleId.length <= 500, 'ruleId'],
    [title.length > 0 && title.length <= 500 && !/[\r\n]/.test(title), 'title'],
    [FINDING_TYPES.includes(finding.type), 'type'],
    [SEVERITIES.includes(finding.severity), 'severity'],
    [(finding.cwe ?? []).every((id) => Number.isInteger(id) && id > 0), 'cwe'],
    [finding.cve === undefined || /^CVE-\d{4}-\d{4,}$/.test(finding.cve), 'cve'],
    [cvssScore === undefined || (cvssScore >= 0 && cvssScore <= 10), 'cvssScore'],
    [epss === undefined || (epss.probability >= 0 && epss.probability <= 1), 'epss'],
    [(finding.references ?? []).every((address) => /^https?:\/\//i.test(address)), 'references'],
    [finding.secretHash === undefined || /^[0-9a-f]{64}$/.test(finding.secretHash), 'secretHash'],
    [finding.date === undefined || !Number.isNaN(Date.parse(finding.date)), 'date'],
    [(finding.locations ?? []).every(isPlace), 'locations'],
    [(finding.codeFlows ?? []).every((flow) => flow.length > 0 && flow.every(isPlace)), 'codeFlows'],
    [finding.component === undefined || finding.component.name !== '', 'component'],
    [inRange(finding.severityNumerical, 0, 100), 'severityNumerical'],
  ];
  return checks.filter(([holds]) => !holds).map(([, name]) => name);
}

function isPlace(place: NonNullable<Finding['locations']>[number]): boolean {
  const numbers = [place.startLine, place.endLine, place.startColumn, place.endColumn];
  return place.path !== '' && numbers.every((value) => value === undefined || (Number.isInteger(value) && value >= 1));
}

function inRange(value: number | undefined, low: number, high: number): boolean {
  return value === undefined || (value >= low && value <= high);
}

/** Every text can be stored: no NUL, well formed, no longer than the longest field. No field is present and undefined. */
function textIssues(value: unknown, path: string): string[] {
  if (typeof value === 'string') {
    const isSound = value.length <= 200_000 && !value.includes('\0') && value.isWellFormed();
    return isSound ? [] : [`text of ${path}`];
  }
  if (value === undefined) return [`${path} is present but undefined`];
  if (typeof value === 'number') return Number.isFinite(value) ? [] : [`number of ${path}`];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, part]) => textIssues(part, `${path}.${key}`));
}
