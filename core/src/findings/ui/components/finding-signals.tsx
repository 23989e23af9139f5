import { EpssBadge, FixBadge, KevBadge } from '../../../platform/ui/signal-badge.tsx';
import type { FindingAttributes } from '../findings.store.ts';

export interface FindingSignalsProps {
  finding: Pick<FindingAttributes, 'kev' | 'estimated_epss' | 'epss_percentile' | 'fixed_version'>;
  epssDate?: string | null;
  kevDate?: string | null;
}

/** KEV, EPSS and Fix, strongest first. */
export function FindingSignals({ finding, epssDate = null, kevDate = null }: FindingSignalsProps) {
  return (
    <>
      {finding.kev && <KevBadge addedOn={kevDate} />}
      {finding.estimated_epss !== null && (
        <EpssBadge probability={finding.estimated_epss} percentile={finding.epss_percentile} date={epssDate} />
      )}
      {finding.fixed_version !== null && <FixBadge version={finding.fixed_version} />}
    </>
  );
}
