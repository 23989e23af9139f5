import { SEVERITIES, type Severity } from '@breakwater/sdk';
import { Link } from 'react-router-dom';
import type { Static } from 'typebox';
import { msg } from '../../../platform/model/message.ts';
import { SEVERITY_LABELS } from '../../../platform/model/severity.ts';
import { SeverityShape, type StatusTone } from '../../../platform/ui/display/badges.tsx';
import { formatNumber } from '../../../platform/ui/display/formats.ts';
import { inSentence, t } from '../../../platform/ui/language/translate.ts';
import {
  type DATA_CLASSES,
  type EXPOSURES,
  type RepositoryAttributes,
  type SCHEDULES,
  SOURCE_CONTROLS,
} from '../../api/routes.ts';
import './repository-display.css';

export type Repository = Static<typeof RepositoryAttributes>;
export interface RepositoryItem {
  _id: string;
  attributes: Repository;
}

const STATES: Record<Repository['status'], { tone: StatusTone; word: string }> = {
  queued: { tone: 'neutral', word: msg('Waiting') },
  running: { tone: 'accent', word: msg('Importing') },
  enriching: { tone: 'accent', word: msg('Enriching') },
  enriched: { tone: 'ok', word: msg('Imported') },
  failed: { tone: 'bad', word: msg('Failed') },
};

/** Nothing was lost, but a newer report is not in the figures. */
const IMPORT_FAILED = { tone: 'bad', word: msg('Import failed') } as const;

export const stateOf = ({ status, import_failed_at }: Repository) =>
  import_failed_at === null ? STATES[status] : IMPORT_FAILED;

const SOURCES: Record<(typeof SOURCE_CONTROLS)[number], string> = {
  github: 'GitHub',
  gitlab: 'GitLab',
  bitbucket_cloud: 'Bitbucket Cloud', // no text: the name of a product
  gitea: 'Gitea',
  git: msg('Uploads'),
  local: msg('Folder on the server'),
};

/** Where a repository comes from, as people call it. */
export const sourceOf = ({ source_control: id, source_control_title: added }: Repository): string => {
  const ours = SOURCE_CONTROLS.find((one) => one === id);
  return added ?? t(ours === undefined ? msg('Source control that was removed') : SOURCES[ours]);
};

export const EXPOSURE_LABELS: Record<(typeof EXPOSURES)[number], string> = {
  unknown: msg('Not set'),
  internet: msg('Open to the internet'),
  internal: msg('Internal'),
};

export const DATA_CLASS_LABELS: Record<(typeof DATA_CLASSES)[number], string> = {
  unknown: msg('Not set'),
  sensitive: msg('Sensitive'),
  business: msg('Business'),
  public: msg('Public'),
};

export const SCHEDULE_LABELS: Record<(typeof SCHEDULES)[number], string> = {
  none: msg('Never by itself'),
  weekly: msg('Weekly'),
  monthly: msg('Monthly'),
};

interface SeverityCountsProps {
  repositoryId: string;
  counts: Repository['counts'];
  /** List of findings that the figures lead to; the own one unless said. */
  findingsPath?: string | undefined;
}

/** Open findings by severity, worst first; each figure leads to its rows. */
export function SeverityCounts({ repositoryId, counts, findingsPath }: SeverityCountsProps) {
  return (
    <span className="sev-counts">
      {SEVERITIES.map((severity) => (
        <Link
          key={severity}
          className={counts[severity] === 0 ? 'is-zero' : undefined}
          to={findingsOfSeverity(repositoryId, severity, findingsPath)}
          title={`${formatNumber(counts[severity])} ${inSentence(SEVERITY_LABELS[severity])}`}
          aria-label={`${formatNumber(counts[severity])} ${inSentence(SEVERITY_LABELS[severity])}`}
        >
          <SeverityShape severity={severity} />
          <span className="num">{formatNumber(counts[severity])}</span>
        </Link>
      ))}
    </span>
  );
}

// Written here, not asked of the findings: they build on repositories, and slices import each other one way only.

/** Address of the open findings of one repository; `path` is that of the list. */
export const findingsOf = (repositoryId: string, path = '/findings'): string => `${path}?repository=${repositoryId}`;

/** The same, of one severity. */
export const findingsOfSeverity = (repositoryId: string, severity: Severity, path = '/findings'): string =>
  `${path}?severity=${severity}&repository=${repositoryId}`;

/** Address of the imports of one repository. */
export const scansOf = (repositoryId: string): string => `/Repositories/${repositoryId}/scans`; // no text: an address

/** Address of the page of one repository. */
export const repositoryPath = (repositoryId: string): string => `/Repositories/${repositoryId}`; // no text: an address
