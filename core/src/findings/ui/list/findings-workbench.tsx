import { autorun, reaction } from 'mobx';
import { observer } from 'mobx-react-lite';
import { lazy, type ReactNode, Suspense, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { Outlet, useLoaderData, useLocation, useMatch, useNavigate, useSearchParams } from 'react-router-dom';
import { API } from '../../../platform/ui/data/api-client.ts';
import { FINDING_CHANGED, FINDINGS_EVENTS, LIVE_EVENTS } from '../../../platform/ui/data/live-events.ts';
import { loadWhenIdle, useFetchedLater } from '../../../platform/ui/data/load-when-idle.ts';
import { useService } from '../../../platform/ui/data/services.tsx';
import { ErrorState } from '../../../platform/ui/feedback/placeholders.tsx';
import { SkeletonRows } from '../../../platform/ui/feedback/skeleton.tsx';
import { TOASTS } from '../../../platform/ui/feedback/toasts.store.ts';
import { t } from '../../../platform/ui/language/translate.ts';
import { PageHead } from '../../../platform/ui/page/page-layout.tsx';
import { useIsNarrow, useMedia, useWindowWidth } from '../../../platform/ui/page/use-media.ts';
import { ASKED_COLUMNS } from '../../model/quiet-columns.ts';
import { type FindingView, formatView, parseView, type ViewGroup } from '../data/finding-view.ts';
import { FindingsStore, PAGE_SIZE } from '../data/findings.store.ts';
import { hrefOfFinding, hrefOfView, type ListRoute } from '../data/list-route.ts';
import { FilterBar } from '../filters/filter-bar.tsx';
import { type FindingsList, FindingsListContext, useFindingsApi } from '../triage/findings-context.ts';
import { useTriage, useTriageKeys } from '../triage/use-triage.ts';
import { ColumnMenu } from './column-controls.tsx';
import { FindingColumns, type ListRoom } from './finding-columns.ts';
import { FindingsTable, ROW_PX } from './findings-table.tsx';
import { ListPrefetch } from './list-prefetch.ts';
import './findings.css';
import '../triage/triage.css';
import '../filters/filters.css';
import './findings-columns.css';

// Nobody decides in the first moment: the dialogs and the bar come after the list.
const loadDialogs = async () => ({ default: (await import('../triage/triage-dialogs.tsx')).TriageDialogs });
const LazyDialogs = lazy(loadDialogs);
const loadBulkBar = async () => ({ default: (await import('../triage/bulk-bar.tsx')).BulkBar });
const LazyBulkBar = lazy(loadBulkBar);
// Most lists have rows.
const LazyEmpty = lazy(async () => ({ default: (await import('./findings-empty.tsx')).FindingsEmpty }));
const LazyGroups = lazy(async () => ({ default: (await import('./finding-groups.tsx')).FindingGroups }));
const LazyFixGroups = lazy(async () => ({ default: (await import('./fix-groups-of-list.tsx')).FixGroupsOfList }));

/** What the route began to read, where it is this list's. */
const usePrefetched = (route: ListRoute) => {
  const first: unknown = useLoaderData();
  return first instanceof ListPrefetch ? first.partsFor(route) : undefined;
};

/** The store of this page, showing what the address says and reading again after imports. */
const useFindings = (route: ListRoute): FindingsStore => {
  const { base } = route;
  const api = useFindingsApi();
  const first = usePrefetched(route);
  const events = useService(LIVE_EVENTS);
  const [params] = useSearchParams();
  const [store] = useState(() => first?.store ?? new FindingsStore(api));
  useEffect(() => store.show(parseView(params, base)), [store, params, base]);
  useEffect(() => {
    const stops = [
      ...FINDINGS_EVENTS.filter((kind) => kind !== FINDING_CHANGED).map((kind) => events.on(kind, store.refresh)),
      events.on(FINDING_CHANGED, ({ change_id }) => store.refreshAfter(change_id ?? undefined)),
      events.onReconnect(store.refresh),
    ];
    return () => {
      for (const stop of stops) stop();
      store.dispose();
    };
  }, [store, events]);
  return store;
};

/** Where the rows are too many to be here, the list asks whether its columns say the same in every one of them. */
const readSoleValues = (store: FindingsStore, columns: FindingColumns) => {
  const isAskedFor = () => columns.isSettled && (store.total ?? 0) > PAGE_SIZE;
  const stops = ASKED_COLUMNS.map((key) =>
    reaction(
      () => isAskedFor() && columns.keys.includes(key),
      (isAsked) => {
        if (isAsked) void store.loadFacet(key);
      },
      { fireImmediately: true },
    ),
  );
  return () => {
    for (const stop of stops) stop();
  };
};

/** The columns of this person, wherever the list is; a long text that is shown comes with the rows. */
const useColumns = (route: ListRoute, store: FindingsStore): FindingColumns => {
  const api = useService(API);
  const toasts = useService(TOASTS);
  const first = usePrefetched(route);
  const [columns] = useState(() => first?.columns ?? new FindingColumns(api, store, toasts.showError));
  useEffect(() => {
    void columns.load();
    return columns.flush;
  }, [columns]);
  useEffect(() => autorun(() => store.setFields(columns.longFields)), [store, columns]);
  useEffect(() => readSoleValues(store, columns), [store, columns]);
  return columns;
};

const useViewNavigation = (route: ListRoute, openId: string | undefined) => {
  const navigate = useNavigate();
  return useCallback(
    (view: FindingView, isTyping = false) => {
      const to =
        openId === undefined ? hrefOfView(route, view) : hrefOfFinding(route, openId, formatView(view, route.base));
      navigate(to, { replace: isTyping });
    },
    [navigate, route, openId],
  );
};

/** Something is selected, under way or refused. */
const isBarShown = ({ selection, triage }: Pick<FindingsList, 'selection' | 'triage'>): boolean =>
  !selection.isEmpty || triage.progress !== undefined || triage.outcome !== undefined;

/** What the tools of a page work on. */
export interface WorkbenchParts {
  store: FindingsStore;
  columns: FindingColumns;
  /** A finding is open beside the list. */
  isPanelOpen: boolean;
  onView: (view: FindingView, isTyping?: boolean) => void;
}

export interface FindingsWorkbenchProps {
  route: ListRoute;
  title: string;
  /** Right of the title. */
  aside?: ReactNode;
  /** Above the title. */
  banner?: ReactNode;
  /** Right of the choice of columns, in the plain head. */
  actions?: (parts: WorkbenchParts) => ReactNode;
  /** In place of the plain head: with the views and the actions of the own client. */
  head?: (parts: WorkbenchParts) => ReactNode;
}

/** A list of findings with its filters, and a finding beside it: of the own client, or of one that a superadmin reads. */
export const FindingsWorkbench = observer(function FindingsWorkbench(props: FindingsWorkbenchProps) {
  const { route, title, aside, banner, actions, head } = props;
  const store = useFindings(route);
  const columns = useColumns(route, store);
  const searchRef = useRef<HTMLInputElement>(null);
  const [params] = useSearchParams();
  const { search } = useLocation();
  const openId = useMatch(route.panelPath)?.params.id;
  useEffect(() => store.setCurrent(openId), [store, openId]);
  const onView = useViewNavigation(route, openId);
  const decisions = useTriage(store);
  const areDialogsThere = useFetchedLater(loadDialogs);
  useEffect(() => void loadWhenIdle(loadBulkBar), []);
  const list: FindingsList = useMemo(
    () => ({
      store,
      route,
      ...decisions,
      listHref: `${route.listPath}${search}`,
      hrefOf: (id) => hrefOfFinding(route, id, params),
    }),
    [store, decisions, route, search, params],
  );
  const cursor = useTriageKeys(list, openId, searchRef);
  const parts: WorkbenchParts = { store, columns, isPanelOpen: openId !== undefined, onView };
  return (
    <>
      {banner}
      {head === undefined ? (
        <PageHead title={title} aside={aside}>
          <ColumnMenu columns={columns} />
          {actions?.(parts)}
        </PageHead>
      ) : (
        head(parts)
      )}
      <FilterBar {...{ store, columns, searchRef, onView }} base={route.base} isReadOnly={route.isReadOnly} />
      <FindingsListContext value={list}>
        <div className="split">
          <div className="tblwrap">
            <ListBody {...parts} href={list.hrefOf} cursor={cursor} />
          </div>
          <Outlet />
          <Suspense fallback={null}>{isBarShown(decisions) && <LazyBulkBar />}</Suspense>
        </div>
        <Suspense fallback={null}>
          {(areDialogsThere || decisions.triage.asking !== undefined) && <LazyDialogs />}
        </Suspense>
      </FindingsListContext>
    </>
  );
});

interface GroupedProps {
  by: ViewGroup;
  view: FindingView;
  /** A finding is open beside it. */
  isBeside: boolean;
  onView: WorkbenchParts['onView'];
}

/** The list put together by what findings have in common, or by what fixes them. */
function Grouped({ by, view, isBeside, onView }: GroupedProps) {
  return by === 'fix' ? (
    <LazyFixGroups view={view} />
  ) : (
    <LazyGroups by={by} view={view} isBeside={isBeside} onView={onView} />
  );
}

interface ListBodyProps extends WorkbenchParts {
  href: (id: string) => string;
  cursor: ReturnType<typeof useTriageKeys>;
}

/** Widths of the rail, px (look.md "Layout"). */
const RAIL = { labels: 208, icons: 52, labelsFrom: 1280 } as const;

/** The width of the list without a panel beside it. */
const useListRoom = (): ListRoom => {
  const isNarrow = useIsNarrow();
  const window = useWindowWidth();
  return isNarrow ? 'block' : window - (window < RAIL.labelsFrom ? RAIL.icons : RAIL.labels);
};

const ListBody = observer(function ListBody({ store, columns, isPanelOpen, href, onView, cursor }: ListBodyProps) {
  const isSmall = useMedia('(max-width: 1439px)');
  const room = useListRoom();
  if (store.list.error !== undefined) {
    return <ErrorState title={t('The findings could not be read')} error={store.list.error} onRetry={store.reload} />;
  }
  if (store.total === 0 && !store.list.isSkeletonDue) {
    return (
      <Suspense fallback={null}>
        <LazyEmpty store={store} onView={onView} />
      </Suspense>
    );
  }
  if (store.view.groupBy !== undefined) {
    return (
      <Suspense fallback={null}>
        <Grouped by={store.view.groupBy} view={store.view} isBeside={isPanelOpen} onView={onView} />
      </Suspense>
    );
  }
  if (!columns.isSettled) {
    const isDue = store.list.isSkeletonDue || store.total !== undefined;
    return isDue && <SkeletonRows rows={8} rowHeight={ROW_PX} label={t('Findings')} />;
  }
  const shown = isPanelOpen ? columns.besidePanel(isSmall) : columns.fitting(room);
  return <FindingsTable {...{ store, href, onView, cursor }} columns={shown} widths={columns} />;
});
