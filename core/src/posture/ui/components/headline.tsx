import { observer } from 'mobx-react-lite';
import { Link } from 'react-router-dom';
import { findingsHref } from '../../../findings/ui/index.ts';
import { formatNumber } from '../../../platform/ui/number-format.ts';
import type { DashboardStore } from '../dashboard.store.ts';

/** The five figures on top; each is a link to what it counts. */
export const Headline = observer(function Headline({ store }: { store: DashboardStore }) {
  const { totals, bySeverity } = store;
  if (totals === undefined) return null;
  const figures = [
    { label: 'Open findings', value: totals.open, to: findingsHref() },
    { label: 'Known exploited', value: totals.kev, to: findingsHref({ kev: 'only' }) },
    { label: 'Critical', value: bySeverity.critical, to: findingsHref({ severity: ['critical'] }) },
    { label: 'Repositories', value: totals.repositories, to: '/Repositories' },
    { label: 'Components', value: totals.components, to: '/sbom-findings' },
  ];
  return (
    <nav className="kpis" aria-label="Figures">
      {figures.map(({ label, value, to }) => (
        <Link key={label} to={to}>
          <span className="f">{formatNumber(value)}</span>
          <span className="k">{label}</span>
        </Link>
      ))}
    </nav>
  );
});
