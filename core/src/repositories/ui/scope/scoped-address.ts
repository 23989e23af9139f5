import { matchPath } from 'react-router-dom';
import type { NavigationEntry } from '../../../shell/ui/navigation/navigation.store.ts';
import { type Scope, type ScopeParameters, scopedPath, scopeValue } from '../../../shell/ui/navigation/scope.store.ts';
import { repositoryPath } from '../parts/repository-display.tsx';

type Listed = Pick<NavigationEntry, 'path' | 'scopeParameters' | 'alsoScoped'>;

/** Parameters that narrow the list at this path; undefined where it is no such list. */
export const parametersAt = (pathname: string, entries: readonly Listed[]): ScopeParameters | undefined =>
  entries.find(
    ({ path, scopeParameters, alsoScoped = [] }) =>
      scopeParameters !== undefined && [path, ...alsoScoped].some((one) => matchPath(one, pathname) !== null),
  )?.scopeParameters;

/** Whether the address of a list is that of the scope; undefined where it is of no list that knows the kind. */
export const isInScope = (
  { pathname, search }: { pathname: string; search: string },
  scope: Scope,
  entries: readonly Listed[],
): boolean | undefined => {
  const parameters = parametersAt(pathname, entries);
  const name = parameters?.[scope.kind];
  if (parameters === undefined || name === undefined) return undefined;
  const values = new URLSearchParams(search).getAll(name);
  return values.length === 1 && values[0] === scopeValue(scope, parameters);
};

const FINDINGS = '/findings';

/** Where a page without such a list leads: the page of the repository, the findings of the tag. */
const elsewhere = (scope: Scope, entries: readonly Listed[]): string =>
  scope.kind === 'repository'
    ? repositoryPath(scope.value)
    : scopedPath(FINDINGS, parametersAt(FINDINGS, entries), scope);

/** Lists of repositories that lead on where a scope of a kind that they do not know is chosen. */
const WHOLE = ['/Repositories', '/sbom-findings']; // no text: addresses

/** Address of the page after another scope was chosen there; undefined where it stays. */
export const addressIn = (
  { pathname, search }: { pathname: string; search: string },
  scope: Scope | undefined,
  entries: readonly Listed[],
): string | undefined => {
  const parameters = parametersAt(pathname, entries);
  const name = scope && parameters?.[scope.kind];
  if (scope !== undefined && name === undefined)
    return WHOLE.some((path) => matchPath(path, pathname) !== null) ? elsewhere(scope, entries) : undefined;
  if (parameters === undefined) return undefined;
  const params = new URLSearchParams(search);
  for (const one of [parameters.repository, parameters.tag, 'page']) if (one !== undefined) params.delete(one);
  if (scope !== undefined && name !== undefined) params.set(name, scopeValue(scope, parameters));
  const query = params.toString();
  return query === '' ? pathname : `${pathname}?${query}`;
};
