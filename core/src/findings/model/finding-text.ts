import { msg } from '../../platform/model/message.ts';
import type { AttributeValues, ColumnKey, RowKey } from './column-catalogue.ts';
import {
  ASSESSED_LABELS,
  PACKAGE_USE_LABELS,
  REMEDIATION_LABELS,
  SEVERITY_LABELS,
  STATUS_LABELS,
  TYPE_LABELS,
  toolLabel,
  VERDICT_LABELS,
} from './labels.ts';
import { isRulePath, ruleWords } from './rule-words.ts';

type Row = Pick<AttributeValues, RowKey>;

/** What people write about a finding, and may write again. */
export const WRITTEN_HERE: readonly (keyof AttributeValues)[] = ['notes', 'tags'];

/** The title as texts show it: without the CVE that stands below it, and a bare rule id as words. */
export const titleOf = ({ title, rule_id: rule, cve }: Pick<Row, 'title' | 'rule_id' | 'cve'>): string => {
  if (title === rule && isRulePath(rule)) return ruleWords(rule);
  const prefix = `${cve}: `;
  return cve !== null && title.startsWith(prefix) && title.length > prefix.length ? title.slice(prefix.length) : title;
};

type Located = Pick<Row, 'file_path' | 'start_line' | 'cve' | 'component' | 'component_version'> &
  Partial<Pick<Row, 'resource'>>;

const MAX_PATH = 56;

/** A path cut in the middle, so that the file's name and its first folder stay readable. */
export const shortPath = (path: string, max = MAX_PATH): string => {
  if (path.length <= max) return path;
  const name = path.slice(path.lastIndexOf('/') + 1);
  const tailLength = Math.min(max - 8, Math.max(name.length + 1, Math.ceil(max * 0.6)));
  return `${path.slice(0, max - tailLength - 1)}…${path.slice(-tailLength)}`;
};

/** Where it is: `CVE · package version`, else `path:line`, else the package or the resource. @param pathText the path as it is shown; shortened without it. */
export const locationOf = (
  finding: Located,
  pathText: (path: string) => string = (path) => shortPath(path),
): string => {
  const { component, component_version: version } = finding;
  const named = component === null ? undefined : [component, version].filter((part) => part !== null).join(' ');
  if (finding.cve !== null && named !== undefined) return `${finding.cve} · ${named}`;
  if (finding.file_path !== null) {
    const line = finding.start_line === null ? '' : `:${finding.start_line}`;
    return `${pathText(finding.file_path)}${line}`;
  }
  return finding.cve ?? named ?? finding.resource ?? '';
};

/** What the column Status says: a verdict before the work status. */
export const stateLabel = (finding: Pick<Row, 'status' | 'verdict' | 'false_positive' | 'is_duplicate'>): string => {
  if (finding.false_positive) return VERDICT_LABELS.false_positive;
  if (finding.verdict === 'accepted_risk' || finding.verdict === 'mitigated_externally') {
    return VERDICT_LABELS[finding.verdict];
  }
  return finding.is_duplicate ? VERDICT_LABELS.duplicate : STATUS_LABELS[finding.status];
};

type Known = Partial<AttributeValues>;

interface ColumnText {
  needs: readonly RowKey[];
  text: (row: Known) => string;
}

const hasAll = <Key extends RowKey>(row: Known, keys: readonly Key[]): row is Known & Pick<Row, Key> =>
  keys.every((key) => row[key] !== undefined);

const from = <Key extends RowKey>(needs: readonly Key[], text: (row: Pick<Row, Key>) => string): ColumnText => ({
  needs,
  text: (row) => (hasAll(row, needs) ? text(row) : ''),
});

/** Columns whose text is another than the value itself. The list, CSV and the printed report show the same. */
const TEXTS: Partial<Record<ColumnKey, ColumnText>> = {
  title: from(['title', 'rule_id', 'cve'], titleOf),
  type: from(['type'], ({ type }) => TYPE_LABELS[type]),
  severity: from(['severity'], ({ severity }) => SEVERITY_LABELS[severity]),
  tool: from(['tool'], ({ tool }) => toolLabel(tool)),
  branch: from(['branch'], ({ branch }) => branch ?? msg('Default')),
  cwe: from(['cwe'], ({ cwe }) => cwe.map((id) => `CWE-${id}`).join(', ')),
  status: from(['status', 'verdict', 'false_positive', 'is_duplicate'], stateLabel),
  verdict: from(['verdict'], ({ verdict }) => VERDICT_LABELS[verdict]),
  remediation_type: from(['remediation_type'], ({ remediation_type: type }) =>
    type === null ? '' : REMEDIATION_LABELS[type],
  ),
  package_use: from(['package_use'], ({ package_use: use }) => (use === null ? '' : PACKAGE_USE_LABELS[use])),
  ai_proposal: {
    needs: [],
    text: ({ ai_proposal: proposed }) => (proposed === undefined || proposed === null ? '' : ASSESSED_LABELS[proposed]),
  },
  issue_owner: from(['issue_owner_name'], ({ issue_owner_name: name }) => name ?? ''),
};

/** What the text of the columns is made of, besides the attributes that they read. */
export const neededFor = (columns: readonly ColumnKey[]): RowKey[] => columns.flatMap((key) => TEXTS[key]?.needs ?? []);

/** What one cell says: numbers as numbers, all else as text. Signals and ids are the caller's. */
export const cellText = (key: ColumnKey, row: Known): string | number => {
  const own = TEXTS[key];
  if (own !== undefined) return own.text(row);
  if (key === '_id' || key === 'signals') return '';
  const value = row[key];
  if (typeof value === 'boolean') return value ? msg('Yes') : msg('No');
  return Array.isArray(value) ? value.join(', ') : (value ?? '');
};

type Signals = Pick<Row, 'kev' | 'estimated_epss' | 'package_use' | 'fixed_version'>;

/** Whether a row shows any of its signals: KEV, EPSS, use of the package, fix. */
export const hasSignals = ({ kev, estimated_epss: epss, package_use: use, fixed_version: fixed }: Signals): boolean =>
  kev || epss !== null || fixed !== null || (use !== null && use !== 'unknown');
