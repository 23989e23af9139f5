import { Type } from 'typebox';
import { route } from '../../platform/api/contract.ts';
import { Action, Done, Id, OneOf } from '../../platform/api/envelope.ts';
import { SAVED_FILTER_SCOPES } from '../model/saved-filters.ts';

const Scope = OneOf(SAVED_FILTER_SCOPES);
const Name = Type.String({ minLength: 1, maxLength: 100, pattern: '[^\\s\\u0000]' });
const Word = Type.String({ maxLength: 8000 });
const Value = Type.Union([
  Word,
  Type.Number(),
  Type.Boolean(),
  Type.Array(Type.Union([Type.String({ maxLength: 500 }), Type.Number()]), { maxItems: 200 }),
]);
const strict = { additionalProperties: false };

/** `[{severity: "critical,high"}, {search: "login"}]`: one key in each entry. */
const Filters = Type.Array(
  Type.Record(Type.String({ minLength: 1, maxLength: 60 }), Value, { minProperties: 1, maxProperties: 1 }),
  { maxItems: 100 },
);

/** Source: decisions.md "Wire shapes". */
export const SavedFilter = Type.Object({
  _id: Id,
  name: Type.String(),
  scope: Scope,
  /** For the caller: each person has one active view of a scope. */
  active: Type.Boolean(),
  filters: Type.Array(Type.Record(Type.String(), Value)),
  /** The whole organisation sees it. */
  shared: Type.Boolean(),
  /** It stands in the caller's navigation. */
  starred: Type.Boolean(),
  /** The caller's own. */
  own: Type.Boolean(),
  /** Whose it is. */
  owner: Type.String(),
  /** Whether the caller may change, delete and stop sharing it. */
  editable: Type.Boolean(),
});

const SCOPE_QUERY = Type.Object({ scope: Type.Optional(Scope) }, strict);
const SCOPED_BODY = Type.Object({ name: Name, filters: Filters, scope: Type.Optional(Scope) }, strict);
const access = { permission: 'findings.read', tenant: true } as const;

export const listSavedFilters = route({
  method: 'GET',
  path: '/findings-filter/selected',
  tag: 'findings',
  summary: 'Saved filters of the caller, then those that others share, by name; of one scope or of all',
  access,
  query: SCOPE_QUERY,
  response: Type.Object({
    data: Type.Array(SavedFilter),
    meta: Type.Object({
      /** Whether the list opens with the active one. */
      use_saved_filter: Type.Boolean(),
    }),
  }),
});

/** Scope `app` unless the body or the query names another. A filter of that name is replaced. */
export const saveFilter = route({
  method: 'POST',
  path: '/findings-filter/save',
  tag: 'findings',
  summary: 'Save filters under a name; an own one of the same name in the scope is replaced',
  access,
  audit: 'settings.changed',
  query: SCOPE_QUERY,
  body: SCOPED_BODY,
  response: Action(SavedFilter),
  errors: ['conflict'],
});

export const activateFilter = route({
  method: 'POST',
  path: '/findings-filter/activate',
  tag: 'findings',
  summary: 'Make a saved filter the active one of its scope',
  access,
  body: Type.Object({ id: Id }, strict),
  response: Action(SavedFilter),
  errors: ['saved_filter_not_found'],
});

export const updateFilter = route({
  method: 'PUT',
  path: '/findings-filter/{name}/update-activate',
  tag: 'findings',
  summary: 'Change a saved filter and make it the active one of its scope',
  access,
  audit: 'settings.changed',
  params: Type.Object({ name: Name }),
  query: Type.Object(
    {
      scope: Type.Optional(Scope),
      /** Of a filter that somebody else shares. Without it the name means an own one. */
      id: Type.Optional(Id),
    },
    strict,
  ),
  body: SCOPED_BODY,
  response: Action(SavedFilter),
  errors: ['saved_filter_not_found', 'conflict', 'forbidden'],
});

/** The id comes in the body or, for programs that cannot send one, in the query. */
export const deleteFilter = route({
  method: 'DELETE',
  path: '/findings-filter/delete',
  tag: 'findings',
  summary: 'Delete a saved filter',
  access,
  audit: 'settings.changed',
  query: Type.Object({ id: Type.Optional(Id) }, strict),
  body: Type.Object({ id: Type.Optional(Id) }, strict),
  response: Done,
  errors: ['saved_filter_not_found', 'forbidden'],
});

/** Ours. Who owns a filter shares it; they and admins take it back. Whoever leaves keeps their name on what they shared. */
export const shareFilter = route({
  method: 'PUT',
  path: '/findings-filter/share',
  tag: 'findings',
  summary: 'Share a saved filter with the organisation, or stop sharing it',
  access,
  audit: 'settings.changed',
  body: Type.Object({ id: Id, shared: Type.Boolean() }, strict),
  response: Action(SavedFilter),
  errors: ['saved_filter_not_found', 'conflict', 'forbidden'],
});

/** Ours, for each person. */
export const starFilter = route({
  method: 'PUT',
  path: '/findings-filter/star',
  tag: 'findings',
  summary: "Put a saved filter into the caller's navigation, or take it out",
  access,
  body: Type.Object({ id: Id, starred: Type.Boolean() }, strict),
  response: Action(SavedFilter),
  errors: ['saved_filter_not_found', 'conflict'],
});

export const useSavedFilter = route({
  method: 'PUT',
  path: '/findings-filter/use',
  tag: 'findings',
  summary: 'Whether the list of findings opens with the active saved filter',
  access,
  body: Type.Object({ use_saved_filter: Type.Boolean() }, strict),
  response: Action(Type.Object({ use_saved_filter: Type.Boolean() })),
});
