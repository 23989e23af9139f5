import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router-dom';
import { API } from '../../platform/ui/api-client.ts';
import { useService } from '../../platform/ui/services.tsx';
import { TOASTS } from '../../platform/ui/toasts.store.ts';
import type { SavedFilterScope } from '../model/saved-filters.ts';
import { ExportStore } from './export.store.ts';
import type { FindingView } from './finding-view.ts';
import { viewOf } from './saved-view.ts';
import { SavedViewsStore } from './saved-views.store.ts';

type OnView = (view: FindingView, replaces?: boolean) => void;

/** The saved views. A list that is opened by an address without anything shows the active one. */
export const useSavedViews = (
  { scope, mayOpenWithView }: { scope: SavedFilterScope; mayOpenWithView: boolean },
  onView: OnView,
): SavedViewsStore => {
  const api = useService(API);
  const toasts = useService(TOASTS);
  const { search } = useLocation();
  const [views] = useState(() => new SavedViewsStore(api, toasts, scope));
  const [isBare] = useState(mayOpenWithView && search === '');
  const latest = useRef({ search, onView });
  useEffect(() => {
    latest.current = { search, onView };
  }, [search, onView]);
  useEffect(() => {
    const abort = new AbortController();
    void views.load(abort.signal).then(() => {
      const isUntouched = !abort.signal.aborted && latest.current.search === '';
      if (isBare && isUntouched && views.active !== undefined) latest.current.onView(viewOf(views.active), true);
    });
    return () => abort.abort();
  }, [views, isBare]);
  return views;
};

export const useExports = (): ExportStore => {
  const api = useService(API);
  const toasts = useService(TOASTS);
  const [exports] = useState(() => new ExportStore(api, toasts));
  return exports;
};
