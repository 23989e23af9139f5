import { Button } from '@blueprintjs/core';
import { Bookmark, CaretDown } from '@blueprintjs/icons';
import { observer } from 'mobx-react-lite';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { useLocation, useSearchParams } from 'react-router-dom';
import { API } from '../../../platform/ui/data/api-client.ts';
import { LIVE_EVENTS, SAVED_VIEW_CHANGED } from '../../../platform/ui/data/live-events.ts';
import { useService } from '../../../platform/ui/data/services.tsx';
import { TOASTS } from '../../../platform/ui/feedback/toasts.store.ts';
import { t } from '../../../platform/ui/language/translate.ts';
import { Popup } from '../../../platform/ui/popups/popup.tsx';
import { NAVIGATION } from '../../../shell/ui/navigation/navigation.store.ts';
import type { SavedFilterScope } from '../../model/saved-filters.ts';
import type { FindingView } from '../data/finding-view.ts';
import { ExportStore } from '../export/export.store.ts';
import { useFindingsApi } from '../triage/findings-context.ts';
import { SAVED_VIEW_PARAM } from './saved-view-href.ts';
import { SavedViewsStore, viewOf } from './saved-views.store.ts';
import type { SavedViewsProps } from './saved-views.tsx';

// The list shows without it: it comes when the menu is opened.
const LazySavedViews = lazy(async () => ({ default: (await import('./saved-views.tsx')).SavedViews }));

const nameOfButton = (name: string | undefined, isChanged: boolean): string => {
  if (name === undefined) return t('Views');
  return isChanged ? t('Views: {name}, changed', { name }) : t('Views: {name}', { name });
};

/** Where views are saved and deleted; its name says which one is active, and whether the list has been changed since. */
export const SavedViewsMenu = observer(function SavedViewsMenu(props: SavedViewsProps) {
  const { views, view } = props;
  const name = views.active?.name;
  const isChanged = views.isChanged(view);
  return (
    <Popup
      content={
        <Suspense fallback={null}>
          <LazySavedViews {...props} />
        </Suspense>
      }
      kind="dialog"
    >
      <Button
        className="views-button"
        variant="minimal"
        size="small"
        icon={<Bookmark />}
        endIcon={<CaretDown />}
        aria-label={nameOfButton(name, isChanged)}
      >
        {t('Views')}
      </Button>
    </Popup>
  );
});

type OnView = (view: FindingView, replaces?: boolean) => void;

/** An address that names a saved view makes it the active one, once. */
const useNamedView = (views: SavedViewsStore): void => {
  const [params] = useSearchParams();
  const name = params.get(SAVED_VIEW_PARAM);
  const done = useRef<string>(undefined);
  const { isKnown } = views;
  useEffect(() => {
    if (!isKnown || name === done.current) return;
    done.current = name ?? undefined;
    const named = views.views.find(({ _id }) => _id === name);
    if (named !== undefined && named !== views.active) void views.activate(named);
  }, [views, isKnown, name]);
};

/** The saved views. A list that is opened by an address without anything shows the active one. */
export const useSavedViews = (
  { scope, mayOpenWithView }: { scope: SavedFilterScope; mayOpenWithView: boolean },
  onView: OnView,
): SavedViewsStore => {
  const api = useService(API);
  const toasts = useService(TOASTS);
  const navigation = useService(NAVIGATION);
  const events = useService(LIVE_EVENTS);
  const { search } = useLocation();
  const [views] = useState(() => new SavedViewsStore(api, toasts, scope, navigation.refreshLinks));
  const [isBare] = useState(mayOpenWithView && search === '');
  const latest = useRef({ search, onView });
  const isOpened = useRef(false);
  useEffect(() => {
    latest.current = { search, onView };
  }, [search, onView]);
  const { isKnown } = views;
  useEffect(() => {
    if (!isKnown || isOpened.current) return;
    isOpened.current = true;
    const isUntouched = latest.current.search === '';
    if (isBare && isUntouched && views.active !== undefined) latest.current.onView(viewOf(views.active), true);
  }, [views, isBare, isKnown]);
  useEffect(() => {
    const reload = () => void views.load();
    reload();
    const stops = [events.on(SAVED_VIEW_CHANGED, reload), events.onReconnect(reload), views.dispose];
    return () => {
      for (const stop of stops) stop();
    };
  }, [views, events]);
  useNamedView(views);
  return views;
};

export const useExports = (): ExportStore => {
  const api = useFindingsApi();
  const toasts = useService(TOASTS);
  const [exports] = useState(() => new ExportStore(api, toasts));
  return exports;
};
