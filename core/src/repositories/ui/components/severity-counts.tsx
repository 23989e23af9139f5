import { SEVERITIES } from '@breakwater/sdk';
import { Link } from 'react-router-dom';
import { formatNumber } from '../../../platform/ui/number-format.ts';
import { SEVERITY_LABELS, SeverityShape } from '../../../platform/ui/severity-badge.tsx';
import { findingsOfSeverity } from '../findings-links.ts';
import type { Repository } from '../repository-item.ts';

export interface SeverityCountsProps {
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
