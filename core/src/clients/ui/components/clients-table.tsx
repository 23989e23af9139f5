import { Link } from 'react-router-dom';
import { formatAmount, formatNumber } from '../../../platform/ui/number-format.ts';
import { SeverityShape } from '../../../platform/ui/severity-badge.tsx';
import { Time } from '../../../platform/ui/time.tsx';
import type { ManagedClientItem } from '../managed-clients.store.ts';
import { managedFindings, managedRepositories } from '../managed-links.ts';

/** What a figure counts; where columns have heads, those say it. */
const Unit = ({ children }: { children: string }) => (
  <span className="unit muted small" aria-hidden="true">
    {' '}
    {children}
  </span>
);

function ClientRow({ item: { _id, attributes } }: { item: ManagedClientItem }) {
  const { organization_name, legal_name, tier, users, open_findings, counts, repositories, last_scan } = attributes;
  const facts = [legal_name === organization_name ? '' : legal_name, tier, formatAmount(users, 'user', 'users')];
  return (
    <tr>
      <td className="t">
        <Link className="ttl trunc" to={managedFindings(_id)}>
          {organization_name}
        </Link>
        <span className="muted small trunc">{facts.filter((fact) => fact !== '').join(' · ')}</span>
      </td>
      <td className="open num">
        <Link
          to={managedFindings(_id)}
          aria-label={`${formatNumber(open_findings)} open findings of ${organization_name}`}
        >
          {formatNumber(open_findings)}
        </Link>
        <Unit>open</Unit>
      </td>
      <td className="critical num">
        {counts.critical === 0 ? (
          <span className="muted">0</span>
        ) : (
          <Link
            className="row"
            to={managedFindings(_id, 'critical')}
            aria-label={`${formatNumber(counts.critical)} critical findings of ${organization_name}`}
          >
            <SeverityShape severity="critical" />
            {formatNumber(counts.critical)}
          </Link>
        )}
        <Unit>critical</Unit>
      </td>
      <td className="repositories num">
        <Link
          to={managedRepositories(_id)}
          aria-label={`${formatAmount(repositories, 'repository', 'repositories')} of ${organization_name}`}
        >
          {formatNumber(repositories)}
        </Link>
        <Unit>{repositories === 1 ? 'repository' : 'repositories'}</Unit>
      </td>
      <td className="when">{last_scan === null ? <span className="muted">Never</span> : <Time value={last_scan} />}</td>
    </tr>
  );
}

/** The organisations of the platform with what there is to do in each. */
export function ClientsTable({ rows }: { rows: readonly ManagedClientItem[] }) {
  return (
    <table className="bw-table clients-table">
      <colgroup>
        <col />
        <col className="col-figure" />
        <col className="col-figure" />
        <col className="col-figure" />
        <col className="col-when" />
      </colgroup>
      <thead>
        <tr>
          <th>Organisation</th>
          <th className="num">Open findings</th>
          <th className="num">Critical</th>
          <th className="num">Repositories</th>
          <th>Last scan</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((item) => (
          <ClientRow key={item._id} item={item} />
        ))}
      </tbody>
    </table>
  );
}
