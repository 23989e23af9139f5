import { Button, Switch } from '@blueprintjs/core';
import { FilterRemove, Layers, Upload } from '@blueprintjs/icons';
import { observer } from 'mobx-react-lite';
import { lazy, Suspense, useCallback, useEffect, useState } from 'react';
import { API } from '../../../platform/ui/api-client.ts';
import { EmptyState } from '../../../platform/ui/empty-state.tsx';
import { ErrorState } from '../../../platform/ui/error-state.tsx';
import { INVENTORY_EVENTS } from '../../../platform/ui/import-events.ts';
import { LIVE_EVENTS } from '../../../platform/ui/live-events.ts';
import { formatAmount } from '../../../platform/ui/number-format.ts';
import { PageHead } from '../../../platform/ui/page-head.tsx';
import { SearchField } from '../../../platform/ui/search-field.tsx';
import { useService } from '../../../platform/ui/services.tsx';
import { SkeletonRows } from '../../../platform/ui/skeleton.tsx';
import { UPLOADS } from '../../../platform/ui/uploads-port.ts';
import { type OnView, useAddressView } from '../../../platform/ui/use-address-view.ts';
import { useIsNarrow } from '../../../platform/ui/use-media.ts';
import { COMPONENT_VIEW, type ComponentView } from '../component-view.ts';
import { ComponentChips, ComponentFilters } from '../components/component-filters.tsx';
import { ComponentList } from '../components/component-list.tsx';
import { ExportMenu } from '../components/export-menu.tsx';
import { ComponentsStore } from '../components.store.ts';
import '../sbom.css';

/** Blueprint's table is heavy, and phones never show it: it comes while the components are read. */
const loadTable = () => import('../components/component-table.tsx');
const ComponentTable = lazy(async () => ({ default: (await loadTable()).ComponentTable }));

const useComponents = () => {
  const api = useService(API);
  const events = useService(LIVE_EVENTS);
  const [view, onView] = useAddressView(COMPONENT_VIEW);
  const [store] = useState(() => new ComponentsStore(api));
  useEffect(() => store.show(view), [store, view]);
  useEffect(() => {
    const { reload } = store;
    const stops = [...INVENTORY_EVENTS.map((kind) => events.on(kind, reload)), events.onReconnect(reload)];
    return () => {
      for (const stop of stops) stop();
      store.dispose();
    };
  }, [store, events]);
  return { store, onView };
};

const NO_FILTER = { search: '', isVulnerableOnly: false, ecosystem: [], license: [], licenseClass: [], repository: [] };

const isFiltered = (view: ComponentView): boolean =>
  view.search !== '' ||
  view.isVulnerableOnly ||
  view.ecosystem.length + view.license.length + view.licenseClass.length + view.repository.length > 0;

interface PartProps {
  store: ComponentsStore;
  onView: OnView<ComponentView>;
}

const Body = observer(function Body({ store, onView }: PartProps) {
  const uploads = useService(UPLOADS);
  const isNarrow = useIsNarrow();
  const { list, view } = store;
  if (list.error !== undefined) {
    return <ErrorState title="The components could not be read" error={list.error} onRetry={list.reload} />;
  }
  if (list.total === undefined || list.isSkeletonDue)
    return <SkeletonRows rows={12} rowHeight={36} label="Components" />;
  if (list.total === 0 && isFiltered(view)) {
    return (
      <EmptyState
        icon={<FilterRemove size={20} />}
        title="No component matches"
        actions={<Button text="Clear all" onClick={() => onView(NO_FILTER)} />}
      >
        Take out a filter, or clear them all.
      </EmptyState>
    );
  }
  if (list.total === 0) {
    return (
      <EmptyState
        icon={<Layers size={20} />}
        title="No components yet"
        actions={<Button text="Upload reports" onClick={() => uploads.open()} />}
      >
        Upload an inventory in CycloneDX format to see what your applications are made of.
      </EmptyState>
    );
  }
  if (isNarrow) return <ComponentList store={store} />;
  return (
    <Suspense fallback={<SkeletonRows rows={12} rowHeight={36} label="Components" />}>
      <ComponentTable store={store} onView={onView} />
    </Suspense>
  );
});

/** What the applications are made of. */
export const ComponentsScreen = observer(function ComponentsScreen() {
  const uploads = useService(UPLOADS);
  const { store, onView } = useComponents();
  const { view, list } = store;
  const isNarrow = useIsNarrow();
  useEffect(() => {
    if (!isNarrow) void loadTable();
  }, [isNarrow]);
  const onSearch = useCallback((search: string) => onView({ search }, true), [onView]);
  return (
    <div className="list-page">
      <PageHead title="SBOM">
        <ExportMenu application={store.application} />
        <Button intent="primary" icon={<Upload />} text="Upload reports" onClick={() => uploads.open()} />
      </PageHead>
      <search className="fbar">
        <SearchField
          label="Search components"
          placeholder="Search name, version"
          search={view.search}
          onSearch={onSearch}
        />
        <Switch
          className="vulnerable-switch"
          checked={view.isVulnerableOnly}
          label="With findings only"
          onChange={() => onView({ isVulnerableOnly: !view.isVulnerableOnly })}
        />
        <ComponentFilters store={store} onView={onView} />
        <ComponentChips store={store} onView={onView} />
        {list.total !== undefined && (
          <span className="fcount" role="status">
            {formatAmount(list.total, 'component')}
          </span>
        )}
      </search>
      <div className="list-body">
        <Body store={store} onView={onView} />
      </div>
    </div>
  );
});
