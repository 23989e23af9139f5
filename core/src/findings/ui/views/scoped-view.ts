import type { Scope } from '../../../shell/ui/navigation/scope.store.ts';
import { scopeFilter } from '../data/finding-queries.ts';
import type { FindingView } from '../data/finding-view.ts';

const keyOf = ({ kind }: Scope): 'repository_tag' | 'repository' => (kind === 'tag' ? 'repository_tag' : 'repository');

/** A view in the scope of the lists; one that says itself which repositories or tags it is about stays as it is. */
export const inScope = (view: FindingView, scope: Scope | undefined): FindingView =>
  scope === undefined || (view.filters[keyOf(scope)]?.length ?? 0) > 0
    ? view
    : { ...view, filters: { ...view.filters, ...scopeFilter(scope) } };

/** The view without the scope, as it is saved: a view that was saved in one scope is the same in another. */
export const withoutScope = (view: FindingView, scope: Scope | undefined): FindingView => {
  if (scope === undefined) return view;
  const { [keyOf(scope)]: chosen, ...filters } = view.filters;
  const isScope = chosen?.length === 1 && chosen[0] === scope.value;
  return isScope ? { ...view, filters } : view;
};
