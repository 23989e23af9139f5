import type { StatusTone } from '../../../platform/ui/display/badges.tsx';
import { STATUS_LABELS, VERDICT_LABELS } from '../../model/labels.ts';
import type { FindingAttributes } from './findings.store.ts';

const MAX_PATH = 56;

/** A path cut in the middle, so that the file's name and its first folder stay readable. */
export const shortPath = (path: string, max = MAX_PATH): string => {
  if (path.length <= max) return path;
  const name = path.slice(path.lastIndexOf('/') + 1);
  const tailLength = Math.min(max - 8, Math.max(name.length + 1, Math.ceil(max * 0.6)));
  return `${path.slice(0, max - tailLength - 1)}…${path.slice(-tailLength)}`;
};

type Titled = Pick<FindingAttributes, 'title' | 'rule_id' | 'cve'>;

/** Rule ids such as `javascript.express.audit.express-open-redirect` end with what they are about. */
const ruleWords = (rule: string): string => {
  const words = rule
    .slice(rule.lastIndexOf('.') + 1)
    .replaceAll(/[-_]+/g, ' ')
    .trim();
  return words === '' ? rule : `${words[0]?.toUpperCase()}${words.slice(1)}`;
};

/** The title as a row shows it: without the CVE that stands below it, and a bare rule id as words. */
export const titleOf = ({ title, rule_id: rule, cve }: Titled): string => {
  if (title === rule && /^[\w-]+(\.[\w-]+)+$/.test(rule)) return ruleWords(rule);
  const prefix = `${cve}: `;
  return cve !== null && title.startsWith(prefix) && title.length > prefix.length ? title.slice(prefix.length) : title;
};

type Located = Pick<FindingAttributes, 'file_path' | 'start_line' | 'cve' | 'component' | 'component_version'>;

/** Second line of a row: `CVE · package version`, else `path:line`. */
export const locationOf = (finding: Located): string => {
  const { component, component_version: version } = finding;
  const named = component === null ? undefined : [component, version].filter((part) => part !== null).join(' ');
  if (finding.cve !== null && named !== undefined) return `${finding.cve} · ${named}`;
  if (finding.file_path !== null) {
    const line = finding.start_line === null ? '' : `:${finding.start_line}`;
    return `${shortPath(finding.file_path)}${line}`;
  }
  return finding.cve ?? named ?? '';
};

export interface StateText {
  tone: StatusTone;
  word: string;
}

type State = Pick<FindingAttributes, 'status' | 'verdict' | 'false_positive' | 'is_duplicate'>;

/** What a row says about its state: a verdict before the work status. */
export const stateOf = (finding: State): StateText => {
  if (finding.false_positive) return { tone: 'off', word: VERDICT_LABELS.false_positive };
  if (finding.verdict === 'accepted_risk') return { tone: 'off', word: VERDICT_LABELS.accepted_risk };
  if (finding.verdict === 'mitigated_externally') return { tone: 'ok', word: VERDICT_LABELS.mitigated_externally };
  if (finding.is_duplicate) return { tone: 'neutral', word: VERDICT_LABELS.duplicate };
  const word = STATUS_LABELS[finding.status];
  if (finding.status === 'mitigated') return { tone: 'ok', word };
  if (finding.status === 'reopened') return { tone: 'warn', word };
  return { tone: 'accent', word };
};
