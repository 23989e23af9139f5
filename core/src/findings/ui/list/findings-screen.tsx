import { Button } from '@blueprintjs/core';
import { Upload } from '@blueprintjs/icons';
import { observer } from 'mobx-react-lite';
import { useCallback } from 'react';
import { Link } from 'react-router-dom';
import { useService } from '../../../platform/ui/data/services.tsx';
import { UPLOADS } from '../../../platform/ui/data/uploads-port.ts';
import { DropZone } from '../../../platform/ui/forms/file-inputs.tsx';
import { t } from '../../../platform/ui/language/translate.ts';
import { PageHead } from '../../../platform/ui/page/page-layout.tsx';
import { SCOPE } from '../../../shell/ui/navigation/scope.store.ts';
import type { ViewBase } from '../data/finding-view.ts';
import { OWN_LISTS } from '../data/list-route.ts';
import { ExportMenu } from '../export/export-menu.tsx';
import { viewOf } from '../views/saved-views.store.ts';
import { useExports, useSavedViews } from '../views/saved-views-menu.tsx';
import { inScope, withoutScope } from '../views/scoped-view.ts';
import { ActiveView, ViewTabs } from '../views/view-tabs.tsx';
import { ColumnMenu } from './column-controls.tsx';
import { FindingsWorkbench, type WorkbenchParts } from './findings-workbench.tsx';

const Actions = observer(function Actions({ store, columns }: WorkbenchParts) {
  const uploads = useService(UPLOADS);
  const exports = useExports();
  return (
    <>
      <ExportMenu exports={exports} store={store} columns={columns.keys} />
      <Button intent="primary" icon={<Upload />} text={t('Upload reports')} onClick={() => uploads.open()} />
    </>
  );
});

/** The way between the work to do and everything. */
function OtherBase({ base }: { base: ViewBase }) {
  return base === 'open' ? (
    <Link className="small only-l" to="/findings/all">
      {t('Show everything')}
    </Link>
  ) : base !== 'all' ? (
    <Link className="small only-l" to="/findings">
      {t('Show findings of every type')}
    </Link>
  ) : (
    <Link className="small only-l" to="/findings">
      {t('Show open work only')}
    </Link>
  );
}

interface OwnFindingsProps {
  base: ViewBase;
  title: string;
}

const OwnHead = observer(function OwnHead({ base, title, parts }: OwnFindingsProps & { parts: WorkbenchParts }) {
  const { store, columns, isPanelOpen, onView } = parts;
  const { current } = useService(SCOPE);
  const onOwnView = useCallback<WorkbenchParts['onView']>(
    (chosen, isTyping) => onView(inScope(chosen, current), isTyping),
    [onView, current],
  );
  const scope = base === 'scm' || base === 'cloud' ? base : 'app';
  const views = useSavedViews({ scope, mayOpenWithView: base !== 'all' && !isPanelOpen }, onOwnView);
  const { active } = views;
  const view = withoutScope(store.view, current, active && viewOf(active));
  return (
    <>
      <PageHead title={title} aside={<ActiveView views={views} view={view} />}>
        <ColumnMenu columns={columns} />
        <Actions {...parts} />
      </PageHead>
      <ViewTabs {...{ views, view, base }} onView={onOwnView}>
        <OtherBase base={base} />
      </ViewTabs>
    </>
  );
});

function OwnFindings({ base, title }: OwnFindingsProps) {
  const uploads = useService(UPLOADS);
  return (
    <DropZone className="findings" hint={t('Drop reports to upload them')} onFiles={uploads.addFiles}>
      <FindingsWorkbench
        route={OWN_LISTS[base]}
        title={title}
        head={(parts) => <OwnHead base={base} title={title} parts={parts} />}
      />
    </DropZone>
  );
}

/** The work to do: open, without false positives, accepted risk and duplicates. */
export function FindingsScreen() {
  return <OwnFindings base="open" title={t('Findings')} />;
}

/** The work to do in source control and pipelines. Its saved filters are those of the scope scm. */
export function ScmScreen() {
  return <OwnFindings base="scm" title={t('Supply chain')} />;
}

/** The work to do in clouds. Its saved filters are those of the scope cloud. */
export function CloudScreen() {
  return <OwnFindings base="cloud" title={t('Cloud')} />;
}

/** Every result, nothing hidden. */
export function AllFindingsScreen() {
  return <OwnFindings base="all" title={t('All findings')} />;
}
