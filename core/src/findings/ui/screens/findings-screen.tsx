import { Button } from '@blueprintjs/core';
import { Upload } from '@blueprintjs/icons';
import { autorun } from 'mobx';
import { observer } from 'mobx-react-lite';
import { lazy, Suspense, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { Link, Outlet, useLocation, useMatch, useNavigate, useSearchParams } from 'react-router-dom';
import { API } from '../../../platform/ui/api-client.ts';
import { DropZone } from '../../../platform/ui/drop-zone.tsx';
import { ErrorState } from '../../../platform/ui/error-state.tsx';
import { FINDINGS_EVENTS } from '../../../platform/ui/import-events.ts';
import { LIVE_EVENTS } from '../../../platform/ui/live-events.ts';
import { PageHead } from '../../../platform/ui/page-head.tsx';
import { useService } from '../../../platform/ui/services.tsx';
import { TOASTS } from '../../../platform/ui/toasts.store.ts';
import { UPLOADS } from '../../../platform/ui/uploads-port.ts';
import { useMedia } from '../../../platform/ui/use-media.ts';
import '../findings.css';
import '../triage.css';
import '../filters.css';
import '../findings-columns.css';
import { ColumnMenu } from '../components/column-menu.tsx';
import { ExportMenu } from '../components/export-menu.tsx';
import { FilterBar } from '../components/filter-bar.tsx';
import { FindingsEmpty } from '../components/findings-empty.tsx';
import { FindingsTable } from '../components/findings-table.tsx';
import { SavedViewsMenu } from '../components/saved-views-menu.tsx';
import { FindingColumns, type ListRoom } from '../finding-columns.ts';
import { type FindingView, formatView, parseView, type ViewBase, viewHref } from '../finding-view.ts';
import { FindingsStore } from '../findings.store.ts';
import { type FindingsList, FindingsListContext } from '../findings-context.ts';
import { useExports, useSavedViews } from '../use-list-tools.ts';
import { useTriage, useTriageKeys } from '../use-triage.ts';

// Nobody decides in the first moment: the dialogs come behind the list.
const LazyDialogs = lazy(async () => ({ default: (await import('../components/triage-dialogs.tsx')).TriageDialogs }));

const LazyBulkBar = lazy(async () => ({ default: (await import('../components/bulk-bar.tsx')).BulkBar }));
const LazyGroups = lazy(async () => ({ default: (await import('../components/finding-groups.tsx')).FindingGroups }));

const PANEL_PATH: Record<ViewBase, string> = {
  open: '/findings/finding-details/:id',
  all: '/findings/all/finding-details/:id',
};

const detailHref = (base: ViewBase, id: string, params: URLSearchParams): string => {
  const query = params.toString();
  return `${PANEL_PATH[base].replace(':id', encodeURIComponent(id))}${query === '' ? '' : `?${query}`}`;
};

/** The store of this page, showing what the address says and reading again after imports. */
const useFindings = (base: ViewBase): FindingsStore => {
  const api = useService(API);
  const events = useService(LIVE_EVENTS);
  const [params] = useSearchParams();
  const [store] = useState(() => new FindingsStore(api));
  useEffect(() => store.show(parseView(params, base)), [store, params, base]);
  useEffect(() => {
    const stops = [...FINDINGS_EVENTS.map((kind) => events.on(kind, store.refresh)), events.onReconnect(store.refresh)];
    return () => {
      for (const stop of stops) stop();
      store.dispose();
    };
  }, [store, events]);
  return store;
};

/** The columns of this person; a long text that is shown comes with the rows. */
const useColumns = (store: FindingsStore): FindingColumns => {
  const api = useService(API);
  const toasts = useService(TOASTS);
  const [columns] = useState(() => new FindingColumns(api, toasts.showError));
  useEffect(() => {
    const abort = new AbortController();
    void columns.load(abort.signal);
    return () => {
      abort.abort();
      columns.flush();
    };
  }, [columns]);
  useEffect(() => autorun(() => store.setFields(columns.longFields)), [store, columns]);
  return columns;
};

const useViewNavigation = (base: ViewBase, openId: string | undefined) => {
  const navigate = useNavigate();
  return useCallback(
    (view: FindingView, isTyping = false) => {
      const to = openId === undefined ? viewHref(view, base) : detailHref(base, openId, formatView(view, base));
      navigate(to, { replace: isTyping });
    },
    [navigate, base, openId],
  );
};

interface FindingsPageProps {
  base: ViewBase;
  title: string;
}

const FindingsPage = observer(function FindingsPage({ base, title }: FindingsPageProps) {
  const uploads = useService(UPLOADS);
  const store = useFindings(base);
  const columns = useColumns(store);
  const searchRef = useRef<HTMLInputElement>(null);
  const [params] = useSearchParams();
  const { search } = useLocation();
  const openId = useMatch(PANEL_PATH[base])?.params.id;
  useEffect(() => store.setCurrent(openId), [store, openId]);
  const onView = useViewNavigation(base, openId);
  const views = useSavedViews(base === 'open' && openId === undefined, onView);
  const exports = useExports();
  const decisions = useTriage(store);
  const list: FindingsList = useMemo(
    () => ({
      store,
      ...decisions,
      listHref: `${base === 'open' ? '/findings' : '/findings/all'}${search}`,
      hrefOf: (id) => detailHref(base, id, params),
    }),
    [store, decisions, base, search, params],
  );
  const cursor = useTriageKeys(list, openId, searchRef);
  return (
    <DropZone className="findings" hint="Drop reports to upload them" onFiles={uploads.addFiles}>
      <PageHead title={title} aside={<OtherBase base={base} />}>
        <SavedViewsMenu views={views} view={store.view} onView={onView} />
        <ColumnMenu columns={columns} />
        <ExportMenu exports={exports} store={store} columns={columns.keys} />
        <Button intent="primary" icon={<Upload />} text="Upload reports" onClick={() => uploads.open()} />
      </PageHead>
      <FilterBar store={store} searchRef={searchRef} onView={onView} />
      <FindingsListContext value={list}>
        <div className="split">
          <div className="tblwrap">
            <ListBody
              {...{ store, base, onView, cursor }}
              columns={columns}
              isBesidePanel={openId !== undefined}
              href={list.hrefOf}
            />
          </div>
          <Outlet />
          <Suspense fallback={null}>
            <LazyBulkBar />
          </Suspense>
        </div>
        <Suspense fallback={null}>
          <LazyDialogs />
        </Suspense>
      </FindingsListContext>
    </DropZone>
  );
});

/** The way between the work to do and everything. */
function OtherBase({ base }: { base: ViewBase }) {
  return base === 'open' ? (
    <Link className="small only-l" to="/findings/all">
      Show all results
    </Link>
  ) : (
    <Link className="small only-l" to="/findings">
      Show open work only
    </Link>
  );
}

interface ListBodyProps {
  store: FindingsStore;
  base: ViewBase;
  columns: FindingColumns;
  isBesidePanel: boolean;
  href: (id: string) => string;
  onView: (view: FindingView) => void;
  cursor: ReturnType<typeof useTriageKeys>;
}

/** Under 768 rows are blocks: there every column has its place. */
const useListRoom = (): ListRoom => {
  const isMedium = useMedia('(min-width: 1024px) and (max-width: 1279px)');
  const isSmall = useMedia('(min-width: 768px) and (max-width: 1023px)');
  if (isSmall) return 'small';
  return isMedium ? 'medium' : 'wide';
};

const ListBody = observer(function ListBody(props: ListBodyProps) {
  const { store, base, columns, isBesidePanel, href, onView, cursor } = props;
  const isSmall = useMedia('(max-width: 1439px)');
  const room = useListRoom();
  if (store.list.error !== undefined) {
    return <ErrorState title="The findings could not be read" error={store.list.error} onRetry={store.reload} />;
  }
  if (store.total === 0 && !store.list.isSkeletonDue) return <FindingsEmpty store={store} onView={onView} />;
  if (store.view.groupBy !== undefined && !isBesidePanel) {
    return (
      <Suspense fallback={null}>
        <LazyGroups view={store.view} base={base} onView={onView} />
      </Suspense>
    );
  }
  const shown = isBesidePanel ? columns.besidePanel(isSmall) : columns.fitting(room);
  return <FindingsTable {...{ store, href, onView, cursor }} columns={shown} widths={columns} />;
});

/** The work to do: open, without false positives, accepted risk and duplicates. */
export function FindingsScreen() {
  return <FindingsPage base="open" title="Findings" />;
}

/** Every result, nothing hidden. */
export function AllFindingsScreen() {
  return <FindingsPage base="all" title="All findings" />;
}
