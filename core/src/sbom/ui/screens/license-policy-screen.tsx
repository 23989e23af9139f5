import { Button } from '@blueprintjs/core';
import { observer } from 'mobx-react-lite';
import { useEffect, useState } from 'react';
import { Link } from 'react-router-dom';
import { can } from '../../../platform/model/permissions.ts';
import { API } from '../../../platform/ui/api-client.ts';
import { ConfirmLeave } from '../../../platform/ui/confirm-leave.tsx';
import { ErrorState } from '../../../platform/ui/error-state.tsx';
import { PageHead } from '../../../platform/ui/page-head.tsx';
import { useService } from '../../../platform/ui/services.tsx';
import { SkeletonRows } from '../../../platform/ui/skeleton.tsx';
import { SESSION } from '../../../shell/ui/session-port.ts';
import { LicenseClassRules, SingleLicenses } from '../components/license-policy-form.tsx';
import { LicensePolicyStore } from '../license-policy.store.ts';
import '../sbom.css';
import '../license-policy.css';

/** Which licences are allowed, want a look, or are forbidden. */
export const LicensePolicyScreen = observer(function LicensePolicyScreen() {
  const api = useService(API);
  const { user } = useService(SESSION);
  const [store] = useState(() => new LicensePolicyStore(api));
  useEffect(() => {
    void store.load();
    return store.dispose;
  }, [store]);
  const mayChange = can(user?.role, 'settings.write');
  if (store.error !== undefined) {
    return <ErrorState title="The licence policy could not be read" error={store.error} onRetry={store.load} />;
  }
  return (
    <div className="canvas">
      <ConfirmLeave isChanged={store.isChanged} />
      <PageHead title="Licence policy">
        {mayChange && (
          <Button
            intent="primary"
            text="Save"
            disabled={!store.isChanged}
            loading={store.isSaving}
            onClick={() => void store.save()}
          />
        )}
      </PageHead>
      <div className="page">
        <p className="t2 policy-intro">
          Components whose licence is not allowed become findings: forbidden ones of severity high, those to review of
          severity medium. <Link to="/findings/all?type=License">Show them</Link>.
          {store.updatedAt === null && ' This is the policy that Breakwater begins with.'}
          {!mayChange && ' An admin can change it.'}
        </p>
        {store.fault !== undefined && (
          <p className="bp6-callout callout-bad" role="alert">
            {store.fault}
          </p>
        )}
        <p className="policy-saved" role="status">
          {store.isSaved && 'Saved. The inventories are checked again; findings follow within a minute.'}
        </p>
        {store.draft === undefined ? (
          <SkeletonRows rows={8} rowHeight={36} label="Licence policy" />
        ) : (
          <div className="policy-cards">
            <LicenseClassRules store={store} mayChange={mayChange} />
            <SingleLicenses store={store} mayChange={mayChange} />
          </div>
        )}
      </div>
    </div>
  );
});
