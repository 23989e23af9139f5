import { type Filters, type FindingView, findingsHref, formatView, type ViewBase } from './finding-view.ts';

/** Where a list of findings lives: its addresses, and whether anything may be done there. */
export interface ListRoute {
  base: ViewBase;
  listPath: string;
  /** Address of a finding beside the list, with `:id`. */
  panelPath: string;
  /** Inside another client, as a superadmin: no call but reading is open. */
  isReadOnly: boolean;
}

/** The lists of the own client. */
export const OWN_LISTS: Readonly<Record<ViewBase, ListRoute>> = {
  open: { base: 'open', listPath: '/findings', panelPath: '/findings/finding-details/:id', isReadOnly: false },
  scm: { base: 'scm', listPath: '/scm', panelPath: '/scm/finding-details/:id', isReadOnly: false },
  cloud: { base: 'cloud', listPath: '/cloud', panelPath: '/cloud/finding-details/:id', isReadOnly: false },
  all: { base: 'all', listPath: '/findings/all', panelPath: '/findings/all/finding-details/:id', isReadOnly: false },
};

const withQuery = (path: string, params: URLSearchParams): string => {
  const query = params.toString();
  return query === '' ? path : `${path}?${query}`;
};

/** Address of a view of a list. */
export const hrefOfView = (route: ListRoute, view: FindingView): string =>
  withQuery(route.listPath, formatView(view, route.base));

/** Address of a finding beside its list. */
export const hrefOfFinding = (route: ListRoute, id: string, params: URLSearchParams): string =>
  withQuery(route.panelPath.replace(':id', encodeURIComponent(id)), params);

/** Address of the open findings of the same client that have this in common. */
export const hrefOfFilters = (route: ListRoute, filters: Filters): string =>
  findingsHref(filters, '', route.isReadOnly ? route.listPath : undefined);
