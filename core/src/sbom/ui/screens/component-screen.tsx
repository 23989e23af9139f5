import { ArrowLeft } from '@blueprintjs/icons';
import { observer } from 'mobx-react-lite';
import { useEffect, useState } from 'react';
import { Link, useParams } from 'react-router-dom';
import { API } from '../../../platform/ui/api-client.ts';
import { ApiError } from '../../../platform/ui/api-error.ts';
import { ErrorState } from '../../../platform/ui/error-state.tsx';
import { formatNumber } from '../../../platform/ui/number-format.ts';
import { PageHead } from '../../../platform/ui/page-head.tsx';
import { useService } from '../../../platform/ui/services.tsx';
import { SkeletonRows } from '../../../platform/ui/skeleton.tsx';
import { PageError } from '../../../shell/ui/page-error.ts';
import { ComponentDetailStore } from '../component-detail.store.ts';
import { fullName } from '../component-text.ts';
import { ComponentFacts } from '../components/component-facts.tsx';
import { ComponentFindings } from '../components/component-findings.tsx';
import { DependencyPaths, Neighbours, UsedIn } from '../components/component-relations.tsx';
import { ExportMenu } from '../components/export-menu.tsx';
import { UpgradeAdvice } from '../components/upgrade-advice.tsx';
import '../sbom.css';

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
    return <ErrorState title="The component could not be read" error={error} onRetry={() => void store.load(id)} />;
  }
  if (detail === undefined) return <SkeletonRows rows={8} rowHeight={52} label="The component" />;
  return (
    <div className="canvas">
      <div className="back">
        <Link className="row small" to="/sbom-findings">
          <ArrowLeft size={12} aria-hidden={true} />
          All components
        </Link>
      </div>
      <PageHead title={fullName(detail)} aside={<span className="mono muted">{detail.version}</span>}>
        <ExportMenu application={{ id: detail.repository_id, name: detail.repository }} />
      </PageHead>
      <div className="page pgrid component-page">
        <div className="component-main">
          <section className="bp6-card findings-card" aria-label="Findings">
            <h2>
              Findings <span className="muted tn">{formatNumber(detail.component_findings.length)}</span>
            </h2>
            <UpgradeAdvice detail={detail} />
            <ComponentFindings detail={detail} />
          </section>
          <DependencyPaths id={id} detail={detail} />
          <div className="component-graph">
            <Neighbours
              title="Depends on"
              none="The inventory names no dependency of it."
              components={detail.depends_on}
            />
            <Neighbours title="Used by" none="Nothing in the inventory depends on it." components={detail.used_by} />
          </div>
        </div>
        <aside className="component-aside">
          <ComponentFacts detail={detail} />
          <UsedIn detail={detail} />
          {detail.description !== null && detail.description !== '' && (
            <section className="bp6-card" aria-label="Description">
              <h2>Description</h2>
              <p className="t2">{detail.description}</p>
            </section>
          )}
        </aside>
      </div>
    </div>
  );
});
