import { EpssBadge, FixBadge, KevBadge } from '../../../platform/ui/signal-badge.tsx';
import type { FindingAttributes } from '../findings.store.ts';

export interface FindingSignalsProps {
  finding: Pick<
    FindingAttributes,
    'kev' | 'kev_date_added' | 'estimated_epss' | 'epss_percentile' | 'epss_date' | 'fixed_version'
  >;
}

/** KEV, EPSS and Fix, strongest first. */
export function FindingSignals({ finding }: FindingSignalsProps) {
  return (
    <>
      {finding.kev && <KevBadge addedOn={finding.kev_date_added} />}
      {finding.estimated_epss !== null && (
        <EpssBadge probability={finding.estimated_epss} percentile={finding.epss_percentile} date={finding.epss_date} />
      )}
      {finding.fixed_version !== null && <FixBadge version={finding.fixed_version} />}
    </>
  );
}
