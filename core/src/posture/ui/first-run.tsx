import { Button } from '@blueprintjs/core';
import { GitBranch, LabTest, SmallTick, Upload } from '@blueprintjs/icons';
import { observer } from 'mobx-react-lite';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { can } from '../../platform/model/permissions.ts';
import { useService } from '../../platform/ui/data/services.tsx';
import { UPLOADS } from '../../platform/ui/data/uploads-port.ts';
import { DropZone, FilePicker } from '../../platform/ui/forms/file-inputs.tsx';
import { t } from '../../platform/ui/language/translate.ts';
import { SESSION } from '../../shell/ui/navigation/shell-ports.ts';
import type { DashboardStore } from './dashboard.store.ts';

interface DoorProps {
  icon: ReactNode;
  title: string;
  text: string;
  facts: readonly string[];
  children: ReactNode;
}

function Door({ icon, title, text, facts, children }: DoorProps) {
  return (
    <section className="bp6-card door" aria-label={title}>
      <span className="ic" aria-hidden="true">
        {icon}
      </span>
      <h2>{title}</h2>
      <p>{text}</p>
      <ul>
        {facts.map((fact) => (
          <li key={fact}>
            <SmallTick size={14} aria-hidden={true} />
            {fact}
          </li>
        ))}
      </ul>
      <div className="cta">{children}</div>
    </section>
  );
}

const SourceControlDoor = observer(function SourceControlDoor() {
  const role = useService(SESSION).user?.role;
  return (
    <Door
      icon={<GitBranch />}
      title={t('Connect source control')}
      text={t('Give Breakwater access to where your code is. Every provider says which rights it needs.')}
      // no text: names of products
      facts={['GitHub, GitLab, Bitbucket Cloud, Gitea', t('Read access is enough to start')]}
    >
      {can(role, 'repositories.write') ? (
        <Link className="bp6-button" to="/manage-repositories">
          {t('Choose a provider')}
        </Link>
      ) : (
        <Button
          text={t('Choose a provider')}
          disabled
          title={t('An admin of your organisation connects source control')}
        />
      )}
    </Door>
  );
});

function UploadDoor() {
  const uploads = useService(UPLOADS);
  return (
    <Door
      icon={<Upload />}
      title={t('Upload reports')}
      text={t('Drop what your scanners already wrote. The tool is recognised from the file.')}
      // no text: names of products
      facts={['Semgrep, Grype, Trivy, SARIF, CycloneDX', t('Duplicates across tools are found')]}
    >
      <div className="drop">{t('Drop files here, several at once')}</div>
      <FilePicker isPrimary isFilled onFiles={uploads.addFiles}>
        {t('Choose files')}
      </FilePicker>
    </Door>
  );
}

const SampleDoor = observer(function SampleDoor({ store, onSample }: FirstRunProps) {
  const role = useService(SESSION).user?.role;
  const mayLoad = can(role, 'repositories.write');
  return (
    <Door
      icon={<LabTest />}
      title={t('Look around with sample data')}
      text={t('OWASP Juice Shop, a shop with known flaws: 151 issues, 840 components.')}
      facts={[t('Ready in seconds'), t('Marked as sample'), t('One action removes all of it')]}
    >
      <Button
        text={t('Load sample data')}
        loading={store.isSampleBusy}
        disabled={!mayLoad}
        title={mayLoad ? undefined : t('An admin or security operator can load it')}
        onClick={onSample}
      />
    </Door>
  );
});

export interface FirstRunProps {
  store: DashboardStore;
  onSample: () => void;
}

/** Nothing was ever imported: three ways to begin. */
export const FirstRun = observer(function FirstRun({ store, onSample }: FirstRunProps) {
  const uploads = useService(UPLOADS);
  return (
    <DropZone hint={t('Drop reports to upload them')} onFiles={uploads.addFiles}>
      <div className="first-head">
        <h1>{t('Where are your findings?')}</h1>
        <p className="t2">{t('Choose one way to start. You can add the others at any time.')}</p>
      </div>
      <div className="doors">
        <SourceControlDoor />
        <UploadDoor />
        <SampleDoor store={store} onSample={onSample} />
      </div>
    </DropZone>
  );
});
