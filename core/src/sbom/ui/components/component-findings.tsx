import { Shield } from '@blueprintjs/icons';
import { Link } from 'react-router-dom';
import { findingHref, plainTitle } from '../../../findings/ui/index.ts';
import { EmptyState } from '../../../platform/ui/empty-state.tsx';
import { SeverityBadge } from '../../../platform/ui/severity-badge.tsx';
import type { ComponentDetails } from '../component-detail.store.ts';

interface ComponentFindingsProps {
  detail: ComponentDetails;
}

/** Open findings of the package; where one speaks of another version, it says so. */
export function ComponentFindings({ detail }: ComponentFindingsProps) {
  if (detail.component_findings.length === 0) {
    return (
      <EmptyState icon={<Shield size={20} />} title="No open finding">
        No report names this component.
      </EmptyState>
    );
  }
  return (
    <table className="bw-table component-findings">
      <colgroup>
        <col className="col-number" />
        <col className="col-severity" />
        <col />
        <col className="col-fix" />
      </colgroup>
      <thead>
        <tr>
          <th className="num">Priority</th>
          <th>Severity</th>
          <th>Finding</th>
          <th>Fixed in</th>
        </tr>
      </thead>
      <tbody>
        {detail.component_findings.map((finding) => (
          <tr key={finding._id}>
            <td className="num p prio">{finding.priority}</td>
            <td className="sv s">
              <SeverityBadge severity={finding.severity} />
            </td>
            <td className="t">
              <Link className="ttl trunc" to={findingHref(finding._id)}>
                {plainTitle(finding)}
              </Link>
              <span className="loc trunc">
                {finding.cve ?? ''}
                {!finding.same_version &&
                  `${finding.cve === null ? '' : ' · '}version differs: reported for ${finding.component_version ?? 'an unnamed version'}`}
              </span>
            </td>
            <td className="mono">{finding.fixed_version ?? ''}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
