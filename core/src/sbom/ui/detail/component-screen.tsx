import { ArrowLeft, Shield } from '@blueprintjs/icons';
import { observer } from 'mobx-react-lite';
import { type ReactNode, useEffect, useState } from 'react';
import { Link, useParams } from 'react-router-dom';
import { findingHref, importedByText, packageUseText, plainTitle } from '../../../findings/ui/index.ts';
import { API } from '../../../platform/ui/data/api-client.ts';
import { ApiError } from '../../../platform/ui/data/api-error.ts';
import { useService } from '../../../platform/ui/data/services.tsx';
import { SeverityBadge, Time } from '../../../platform/ui/display/badges.tsx';
import { formatNumber } from '../../../platform/ui/display/formats.ts';
import { PriorityValue } from '../../../platform/ui/display/priority-value.tsx';
import { EmptyState, ErrorState } from '../../../platform/ui/feedback/placeholders.tsx';
import { SkeletonRows } from '../../../platform/ui/feedback/skeleton.tsx';
import { t } from '../../../platform/ui/language/translate.ts';
import { PageHead } from '../../../platform/ui/page/page-layout.tsx';
import { PageError } from '../../../shell/ui/routing/guards.ts';
import { LICENSE_CLASS_LABELS, LICENSE_CLASS_MEANINGS } from '../../model/license-classes.ts';
import { directText, fullName, licenseText } from '../list/components.store.ts';
import { ExportMenu } from '../list/export-menu.tsx';
import { ComponentDetailStore, type ComponentDetails } from './component-detail.store.ts';
import { DependencyPaths, Neighbours, UpgradeAdvice, UsedIn } from './component-relations.tsx';
import { NewestFact, ReleasedNote } from './newest-fact.tsx';
import '../list/sbom.css';

/** One component: facts, what is wrong with it, and what it hangs on. */
export const ComponentScreen = observer(function ComponentScreen() {
  const { id = '' } = useParams();
  const api = useService(API);
  const [store] = useState(() => new ComponentDetailStore(api));
  useEffect(() => void store.load(id), [store, id]);
  useEffect(() => store.dispose, [store]);
  const { detail, error } = store;
  if (error instanceof ApiError && error.status === 404) throw new PageError(404, error.messages.join(' '));
  if (error !== undefined) {
    return (
      <ErrorState title={t('The component could not be read')} error={error} onRetry={() => void store.load(id)} />
    );
  }
  if (detail === undefined) return <SkeletonRows rows={8} rowHeight={52} label={t('The component')} />;
  return (
    <div className="canvas">
      <div className="back">
        <Link className="row small" to="/sbom-findings">
          <ArrowLeft size={12} aria-hidden={true} />
          {t('All components')}
        </Link>
      </div>
      <PageHead title={fullName(detail)} aside={<span className="mono muted">{detail.version}</span>}>
        <ExportMenu application={{ id: detail.repository_id, name: detail.repository }} />
      </PageHead>
      <div className="page pgrid component-page">
        <div className="component-main">
          <section className="bp6-card findings-card" aria-label={t('Findings')}>
            <h2>
              {t('Findings')} <span className="muted tn">{formatNumber(detail.component_findings.length)}</span>
            </h2>
            <UpgradeAdvice detail={detail} />
            <ComponentFindings detail={detail} />
          </section>
          <DependencyPaths id={id} detail={detail} />
          <div className="component-graph">
            <Neighbours
              title={t('Depends on')}
              none={t('The inventory names no dependency of it.')}
              components={detail.depends_on}
            />
            <Neighbours
              title={t('Used by')}
              none={t('Nothing in the inventory depends on it.')}
              components={detail.used_by}
            />
          </div>
        </div>
        <aside className="component-aside">
          <ComponentFacts detail={detail} />
          <UsedIn detail={detail} />
          {detail.description !== null && detail.description !== '' && (
            <section className="bp6-card" aria-label={t('Description')}>
              <h2>{t('Description')}</h2>
              <p className="t2">{detail.description}</p>
            </section>
          )}
        </aside>
      </div>
    </div>
  );
});

function Fact({ name, children }: { name: string; children: ReactNode }) {
  if (children === null || children === '') return null;
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}

/** How the source of the application uses the package. */
function UsedInCode({ detail }: { detail: ComponentDetails }) {
  const { package_use: use, package_imported_by: by } = detail;
  if (use === null) {
    return (
      <>
        {t('Not known')}
        <span className="muted small license-note">
          {t('The source was not read, or imports of its ecosystem are not.')}
        </span>
      </>
    );
  }
  return (
    <>
      {packageUseText(use)}
      {by !== null && <span className="muted small license-note">{importedByText(by)}</span>}
    </>
  );
}

/** What the inventory says of a component. */
function ComponentFacts({ detail }: { detail: ComponentDetails }) {
  return (
    <section className="bp6-card" aria-label={t('Facts')}>
      <h2>{t('Facts')}</h2>
      <dl className="kv">
        <Fact name={t('Version')}>
          {detail.version}
          <ReleasedNote detail={detail} />
        </Fact>
        <Fact name={t('Newest version')}>
          <NewestFact detail={detail} />
        </Fact>
        <Fact name={t('Licence')}>{licenseText(detail.licenses)}</Fact>
        <Fact name={t('Licence class')}>
          {t(LICENSE_CLASS_LABELS[detail.license_class])}
          <span className="muted small license-note">
            {t(LICENSE_CLASS_MEANINGS[detail.license_class])}{' '}
            {t('An estimate from the licence’s name, no legal advice.')}
          </span>
        </Fact>
        <Fact name={t('Ecosystem')}>{detail.ecosystem}</Fact>
        <Fact name={t('Kind')}>{detail.type}</Fact>
        <Fact name={t('Use')}>{directText(detail.direct)}</Fact>
        <Fact name={t('Used in code')}>
          <UsedInCode detail={detail} />
        </Fact>
        <Fact name={t('Package URL')}>{detail.purl === null ? null : <span className="mono">{detail.purl}</span>}</Fact>
        <Fact name={t('Repository')}>
          <Link to={`/sbom-findings?repository=${detail.repository_id}`}>{detail.repository}</Link>
        </Fact>
        <Fact name={t('First seen')}>
          <Time value={detail.first_seen} />
        </Fact>
        <Fact name={t('Last seen')}>
          <Time value={detail.last_seen} />
        </Fact>
      </dl>
    </section>
  );
}

interface ComponentFindingsProps {
  detail: ComponentDetails;
}

/** Open findings of the package: those of its version, and apart those that are reported for another one. */
function ComponentFindings({ detail }: ComponentFindingsProps) {
  const own = detail.component_findings.filter((finding) => finding.same_version);
  const others = detail.component_findings.filter((finding) => !finding.same_version);
  if (detail.component_findings.length === 0) {
    return (
      <EmptyState icon={<Shield size={20} />} title={t('No open finding')}>
        {t('No report names this component.')}
      </EmptyState>
    );
  }
  return (
    <>
      {own.length === 0 ? (
        <p className="t2">{t('No open finding is reported for this version.')}</p>
      ) : (
        <FindingsTable findings={own} />
      )}
      {others.length > 0 && (
        <>
          <h3>{t('Reported for another version')}</h3>
          <p className="muted small">
            {t('The inventory lists a version that these findings do not name: it may not be affected.')}
          </p>
          <FindingsTable findings={others} />
        </>
      )}
    </>
  );
}

function FindingsTable({ findings }: { findings: ComponentDetails['component_findings'] }) {
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
          <th className="num">{t('Priority')}</th>
          <th>{t('Severity')}</th>
          <th>{t('Finding')}</th>
          <th>{t('Fixed in')}</th>
        </tr>
      </thead>
      <tbody>
        {findings.map((finding) => (
          <tr key={finding._id}>
            <td className="num p prio">
              <PriorityValue value={finding.priority} />
            </td>
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
                  `${finding.cve === null ? '' : ' · '}${t('version differs: reported for {version}', {
                    version: finding.component_version ?? t('an unnamed version'),
                  })}`}
              </span>
            </td>
            <td className="mono">{finding.fixed_version ?? ''}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
