import { Button, Switch } from '@blueprintjs/core';
import { FilterRemove, Layers, Upload } from '@blueprintjs/icons';
import { useVirtualizer } from '@tanstack/react-virtual';
import { observer } from 'mobx-react-lite';
import { lazy, Suspense, useCallback, useEffect, useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import { API } from '../../../platform/ui/data/api-client.ts';
import { INVENTORY_EVENTS, LIVE_EVENTS } from '../../../platform/ui/data/live-events.ts';
import { useService } from '../../../platform/ui/data/services.tsx';
import { UPLOADS } from '../../../platform/ui/data/uploads-port.ts';
import { EmptyState, ErrorState } from '../../../platform/ui/feedback/placeholders.tsx';
import { SkeletonRows } from '../../../platform/ui/feedback/skeleton.tsx';
import { SearchField } from '../../../platform/ui/forms/search-field.tsx';
import { plural, t } from '../../../platform/ui/language/translate.ts';
import { PageHead } from '../../../platform/ui/page/page-layout.tsx';
import { type OnView, useAddressView } from '../../../platform/ui/page/use-address-view.ts';
import { useIsNarrow } from '../../../platform/ui/page/use-media.ts';
import { LICENSE_CLASS_LABELS } from '../../model/license-classes.ts';
import { ComponentRisk, componentHref } from './component-cells.tsx';
import { ComponentChips, ComponentFilters } from './component-filters.tsx';
import { COMPONENT_VIEW, type ComponentView } from './component-view.ts';
import { ComponentsStore, directText, fullName, licenseText } from './components.store.ts';
import { ExportMenu } from './export-menu.tsx';
import { releaseLine } from './release-texts.tsx';
import './sbom.css';

/** Blueprint's table is heavy, and phones never show it: it comes while the components are read. */
const loadTable = () => import('./component-table.tsx');
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
    return <ErrorState title={t('The components could not be read')} error={list.error} onRetry={list.reload} />;
  }
  if (list.total === undefined || list.isSkeletonDue)
    return <SkeletonRows rows={12} rowHeight={36} label={t('Components')} />;
  if (list.total === 0 && isFiltered(view)) {
    return (
      <EmptyState
        icon={<FilterRemove size={20} />}
        title={t('No component matches')}
        actions={<Button text={t('Clear all')} onClick={() => onView(NO_FILTER)} />}
      >
        {t('Take out a filter, or clear them all.')}
      </EmptyState>
    );
  }
  if (list.total === 0) {
    return (
      <EmptyState
        icon={<Layers size={20} />}
        title={t('No components yet')}
        actions={<Button text={t('Upload reports')} onClick={() => uploads.open()} />}
      >
        {t('Upload an inventory in CycloneDX format to see what your applications are made of.')}
      </EmptyState>
    );
  }
  if (isNarrow) return <ComponentList store={store} />;
  return (
    <Suspense fallback={<SkeletonRows rows={12} rowHeight={36} label={t('Components')} />}>
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
      <PageHead title={t('SBOM')}>
        {store.application !== undefined && (
          <Link className="bp6-button" to={`/sbom-findings/changes/${encodeURIComponent(store.application.id)}`}>
            {t('Changes')}
          </Link>
        )}
        <ExportMenu application={store.application} />
        <Button intent="primary" icon={<Upload />} text={t('Upload reports')} onClick={() => uploads.open()} />
      </PageHead>
      <search className="fbar">
        <SearchField
          label={t('Search components')}
          placeholder={t('Search name, version')}
          search={view.search}
          onSearch={onSearch}
        />
        <Switch
          className="vulnerable-switch"
          checked={view.isVulnerableOnly}
          label={t('With findings only')}
          onChange={() => onView({ isVulnerableOnly: !view.isVulnerableOnly })}
        />
        <ComponentFilters store={store} onView={onView} />
        <ComponentChips store={store} onView={onView} />
        {list.total !== undefined && (
          <span className="fcount" role="status">
            {plural(list.total, '{count} component', '{count} components')}
          </span>
        )}
      </search>
      <div className="list-body">
        <Body store={store} onView={onView} />
      </div>
    </div>
  );
});

const BLOCK_PX = 68;

/** The inventory on a phone: blocks instead of columns. */
const ComponentList = observer(function ComponentList({ store: { list } }: { store: ComponentsStore }) {
  const scrollRef = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer({
    count: list.total ?? 0,
    getScrollElement: () => scrollRef.current,
    estimateSize: () => BLOCK_PX,
    overscan: 6,
  });
  const rows = virtualizer.getVirtualItems();
  const first = rows.at(0)?.index ?? 0;
  const last = rows.at(-1)?.index ?? 0;
  const { generation } = list;
  // biome-ignore lint/correctness/useExhaustiveDependencies: after a reading anew what is in sight is asked for again
  useEffect(() => list.ensure(first, last), [list, first, last, generation]);
  return (
    <div className="component-list" ref={scrollRef}>
      <ul style={{ height: virtualizer.getTotalSize() }}>
        {rows.map(({ index, start }) => {
          const item = list.rowAt(index);
          return (
            <li key={index} style={{ transform: `translateY(${start}px)`, height: BLOCK_PX }}>
              {item === undefined ? (
                <span className="sk" style={{ width: '60%' }} />
              ) : (
                <>
                  <span className="row">
                    <Link className="ttl trunc grow" to={componentHref(item._id)}>
                      {fullName(item.attributes)} <span className="mono muted">{item.attributes.version}</span>
                    </Link>
                    <ComponentRisk attributes={item.attributes} />
                  </span>
                  <span className="muted small trunc">
                    {[
                      item.attributes.ecosystem,
                      licenseText(item.attributes.licenses),
                      t(LICENSE_CLASS_LABELS[item.attributes.license_class]),
                      directText(item.attributes.direct),
                      releaseLine(item.attributes),
                    ]
                      .filter((part) => part !== null && part !== '')
                      .join(' · ')}
                  </span>
                </>
              )}
            </li>
          );
        })}
      </ul>
    </div>
  );
});
