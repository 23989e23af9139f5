import { escapeWord, unescapeWord } from '../../../platform/model/joined-words.ts';
import { COMPONENT_SORT_FIELDS } from '../../api/routes.ts';
import { LICENSE_CLASSES, type LicenseClass } from '../../model/license-classes.ts';

export type ComponentSort = (typeof COMPONENT_SORT_FIELDS)[number];

/** What the list of components shows; all of it lives in the address. */
export interface ComponentView {
  search: string;
  isVulnerableOnly: boolean;
  ecosystem: string[];
  license: string[];
  licenseClass: LicenseClass[];
  repository: string[];
  repositoryTag: string[];
  sortField: ComponentSort;
  sort: 'asc' | 'desc';
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** The vulnerable ones first: that is what a person comes for. */
const DEFAULT_SORT: ComponentSort = 'findings';
const naturalOrder = (field: ComponentSort): 'asc' | 'desc' =>
  field === 'name' || field === 'released_on' ? 'asc' : 'desc';

const words = (params: URLSearchParams, key: string): string[] =>
  (params.get(key) ?? '')
    .split(',')
    .filter((word) => word !== '')
    .map(unescapeWord);

/** Names of licences hold commas ("Apache License, Version 2.0"). */
const list = (values: readonly string[]): string => values.map(escapeWord).join(',');

export const parseComponentView = (params: URLSearchParams): ComponentView => {
  const sortField = COMPONENT_SORT_FIELDS.find((field) => field === params.get('sort_field')) ?? DEFAULT_SORT;
  const sort = params.get('sort');
  return {
    search: (params.get('search') ?? '').trim().slice(0, 200),
    isVulnerableOnly: params.get('vulnerable') === 'only',
    ecosystem: words(params, 'ecosystem'),
    license: words(params, 'license'),
    licenseClass: LICENSE_CLASSES.filter((value) => words(params, 'license_class').includes(value)),
    repository: words(params, 'repository').filter((id) => UUID.test(id)),
    repositoryTag: words(params, 'repository_tag'),
    sortField,
    sort: sort === 'asc' || sort === 'desc' ? sort : naturalOrder(sortField),
  };
};

export const formatComponentView = (view: ComponentView): URLSearchParams => {
  const params = new URLSearchParams();
  const put = (key: string, value: string) => {
    if (value !== '') params.set(key, value);
  };
  put('search', view.search);
  put('vulnerable', view.isVulnerableOnly ? 'only' : '');
  put('ecosystem', list(view.ecosystem));
  put('license', list(view.license));
  put('license_class', view.licenseClass.join(','));
  put('repository', view.repository.join(','));
  put('repository_tag', list(view.repositoryTag));
  put('sort_field', view.sortField === DEFAULT_SORT ? '' : view.sortField);
  put('sort', view.sort === naturalOrder(view.sortField) ? '' : view.sort);
  return params;
};

export const COMPONENT_VIEW = { parse: parseComponentView, format: formatComponentView };

/** The view after a click on a header. */
export const sortedBy = (view: ComponentView, sortField: ComponentSort): ComponentView => {
  if (view.sortField !== sortField) return { ...view, sortField, sort: naturalOrder(sortField) };
  return { ...view, sort: view.sort === 'asc' ? 'desc' : 'asc' };
};
