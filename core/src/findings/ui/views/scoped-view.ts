import type { Scope } from '../../../shell/ui/navigation/scope.store.ts';
import { scopeFilter } from '../data/finding-queries.ts';
import type { FindingView } from '../data/finding-view.ts';

/** The view says itself which repositories it is about. */
const namesRepositories = ({ filters }: FindingView): boolean =>
  (filters.repository?.length ?? 0) > 0 || (filters.repository_tag?.length ?? 0) > 0;

/** A view in the scope of the lists; one that says itself which repositories or tags it is about stays as it is. */
export const inScope = (view: FindingView, scope: Scope | undefined): FindingView =>
  scope === undefined || namesRepositories(view)
    ? view
    : { ...view, filters: { ...view.filters, ...scopeFilter(scope) } };

/**
 * The view without the scope, as it is saved: a view that was saved in one scope is the same in another. Where the active view names
 * repositories itself, the filter is the view's.
 */
export const withoutScope = (
  view: FindingView,
  scope: Scope | undefined,
  active: FindingView | undefined,
): FindingView => {
  if (scope === undefined || (active !== undefined && namesRepositories(active))) return view;
  const { [scope.kind === 'tag' ? 'repository_tag' : 'repository']: chosen, ...filters } = view.filters;
  const isScope = chosen?.length === 1 && chosen[0] === scope.value;
  return isScope ? { ...view, filters } : view;
};
