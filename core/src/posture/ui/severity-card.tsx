import { SEVERITIES, type Severity } from '@breakwater/sdk';
import { observer } from 'mobx-react-lite';
import { Link, useNavigate } from 'react-router-dom';
import { SEVERITY_LABELS } from '../../platform/model/severity.ts';
import { SeverityShape } from '../../platform/ui/display/badges.tsx';
import { formatNumber } from '../../platform/ui/display/formats.ts';
import { plural, t } from '../../platform/ui/language/translate.ts';
import { useFindingsHref } from './chart-place.ts';
import { ChartCard } from './charts/chart-card.tsx';
import { severityOption } from './charts/chart-options.ts';
import type { DashboardStore } from './dashboard.store.ts';
import { EmptyChart } from './empty-chart.tsx';

const useSeverityHref = (): ((severity: Severity) => string) => {
  const findingsHref = useFindingsHref();
  return (severity) => findingsHref({ severity: [severity] });
};

/** Open findings by severity now; each bar leads to its rows. */
export const SeverityCard = observer(function SeverityCard({ store }: { store: DashboardStore }) {
  const navigate = useNavigate();
  const severityHref = useSeverityHref();
  const counts = store.bySeverity;
  const open = store.totals?.open ?? 0;
  return (
    <ChartCard
      title={t('By severity')}
      sub={plural(open, '{count} open finding', '{count} open findings')}
      option={(tokens, description) => severityOption({ counts, tokens, description, scale: store.charts.scale })}
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
      instead={open === 0 ? <EmptyChart title={t('Nothing is open')} /> : undefined}
      onChoose={({ dataIndex }) => {
        const severity = SEVERITIES[dataIndex];
        if (severity !== undefined) navigate(severityHref(severity));
      }}
    />
  );
});
