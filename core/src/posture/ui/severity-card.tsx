import { Shield } from '@blueprintjs/icons';
import { SEVERITIES, type Severity } from '@breakwater/sdk';
import { observer } from 'mobx-react-lite';
import { Link, useNavigate } from 'react-router-dom';
import { findingsHref } from '../../findings/ui/index.ts';
import { SEVERITY_LABELS } from '../../platform/model/severity.ts';
import { SeverityShape } from '../../platform/ui/display/badges.tsx';
import { formatNumber } from '../../platform/ui/display/formats.ts';
import { EmptyState } from '../../platform/ui/feedback/placeholders.tsx';
import { plural, t } from '../../platform/ui/language/translate.ts';
import { ChartCard } from './charts/chart-card.tsx';
import { severityOption } from './charts/chart-options.ts';
import type { DashboardStore } from './dashboard.store.ts';

const severityHref = (severity: Severity): string => findingsHref({ severity: [severity] });

function SeverityLegend() {
  return (
    <div className="legend">
      {SEVERITIES.map((severity) => (
        <Link key={severity} to={severityHref(severity)}>
          <SeverityShape severity={severity} /> {t(SEVERITY_LABELS[severity])}
        </Link>
      ))}
    </div>
  );
}

/** Open findings by severity now; each bar leads to its rows. */
export const SeverityCard = observer(function SeverityCard({ store }: { store: DashboardStore }) {
  const navigate = useNavigate();
  const counts = store.bySeverity;
  const open = store.totals?.open ?? 0;
  return (
    <ChartCard
      title={t('By severity')}
      sub={plural(open, '{count} open finding', '{count} open findings')}
      option={(tokens, description) => severityOption({ counts, tokens, description })}
      table={
        <table className="mini">
          <thead>
            <tr>
              <th>{t('Severity')}</th>
              <th className="num">{t('Findings')}</th>
            </tr>
          </thead>
          <tbody>
            {SEVERITIES.map((severity) => (
              <tr key={severity}>
                <td>
                  <SeverityShape severity={severity} /> {t(SEVERITY_LABELS[severity])}
                </td>
                <td className="num">
                  <Link to={severityHref(severity)}>{formatNumber(counts[severity])}</Link>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      }
      legend={<SeverityLegend />}
      instead={
        open === 0 ? (
          <EmptyState
            icon={<Shield size={20} />}
            title={t('Nothing is open')}
            actions={<Link to="/findings/all">{t('All findings')}</Link>}
          />
        ) : undefined
      }
      onChoose={({ dataIndex }) => {
        const severity = SEVERITIES[dataIndex];
        if (severity !== undefined) navigate(severityHref(severity));
      }}
    />
  );
});
