import { SEVERITIES, type Severity } from '@breakwater/sdk';
import { Link } from 'react-router-dom';
import type { Static } from 'typebox';
import { SEVERITY_LABELS } from '../../../platform/model/severity.ts';
import { SeverityShape, type StatusTone } from '../../../platform/ui/display/badges.tsx';
import { formatNumber } from '../../../platform/ui/display/formats.ts';
import type { DATA_CLASSES, EXPOSURES, RepositoryAttributes, SCHEDULES } from '../../api/routes.ts';
import './repository-display.css';

export type Repository = Static<typeof RepositoryAttributes>;
export interface RepositoryItem {
  _id: string;
  attributes: Repository;
}

const STATES: Record<Repository['status'], { tone: StatusTone; word: string }> = {
  queued: { tone: 'neutral', word: 'Waiting' },
  running: { tone: 'accent', word: 'Importing' },
  enriching: { tone: 'accent', word: 'Enriching' },
  enriched: { tone: 'ok', word: 'Imported' },
  failed: { tone: 'bad', word: 'Failed' },
};

/** Nothing was lost, but a newer report is not in the figures. */
const IMPORT_FAILED = { tone: 'bad', word: 'Import failed' } as const;

export const stateOf = ({ status, import_failed_at }: Repository) =>
  import_failed_at === null ? STATES[status] : IMPORT_FAILED;

/** Where a repository comes from, as people call it. */
export const SOURCES: Record<Repository['source_control'], string> = {
  github: 'GitHub',
  gitlab: 'GitLab',
  bitbucket_cloud: 'Bitbucket Cloud',
  gitea: 'Gitea',
  git: 'Uploads',
  local: 'Folder on the server',
};

export const EXPOSURE_LABELS: Record<(typeof EXPOSURES)[number], string> = {
  unknown: 'Not set',
  internet: 'Open to the internet',
  internal: 'Internal',
};

export const DATA_CLASS_LABELS: Record<(typeof DATA_CLASSES)[number], string> = {
  unknown: 'Not set',
  sensitive: 'Sensitive',
  business: 'Business',
  public: 'Public',
};

export const SCHEDULE_LABELS: Record<(typeof SCHEDULES)[number], string> = {
  none: 'Never by itself',
  weekly: 'Weekly',
  monthly: 'Monthly',
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
          title={`${formatNumber(counts[severity])} ${SEVERITY_LABELS[severity].toLowerCase()}`}
          aria-label={`${formatNumber(counts[severity])} ${SEVERITY_LABELS[severity].toLowerCase()}`}
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
export const scansOf = (repositoryId: string): string => `/Repositories/${repositoryId}/scans`;

/** Address of the page of one repository. */
export const repositoryPath = (repositoryId: string): string => `/Repositories/${repositoryId}`;
