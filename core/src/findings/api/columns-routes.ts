import { Type } from 'typebox';
import { route } from '../../platform/api/contract.ts';
import { Action, Nullable, OneOf } from '../../platform/api/envelope.ts';
import { COLUMN_KEYS, COLUMN_WIDTH } from '../model/column-catalogue.ts';

const Key = OneOf(COLUMN_KEYS);

/** One column. Source: decisions.md "Wire shapes"; `width` is ours. */
const Column = Type.Object({
  key: Key,
  label: Type.String(),
  /** Field for `sort_field`; null where the list cannot be sorted by it. */
  sort: Nullable(Type.String()),
  /** Place in its list, from 0. */
  index: Type.Integer(),
  /** In px, where the person resized it. */
  width: Nullable(Type.Integer()),
});

const Columns = Type.Object({
  /** What somebody sees who chose nothing. */
  default: Type.Array(Column),
  /** What this person sees, in order. */
  selected: Type.Array(Column),
  /** Everything that can be chosen. */
  available: Type.Array(Column),
});

export const getColumns = route({
  method: 'GET',
  path: '/findings-columns/selected',
  tag: 'findings',
  summary: 'Columns of the list of findings: the default ones, and those the caller chose',
  access: { permission: 'account.use', tenant: true },
  response: Type.Object({ data: Columns }),
});

export const saveColumns = route({
  method: 'POST',
  path: '/findings-columns/save',
  tag: 'findings',
  summary: 'Choose the columns of the list of findings, in their order',
  access: { permission: 'account.use', tenant: true },
  body: Type.Object(
    {
      /** An empty list goes back to the default. */
      columns: Type.Array(Key, { uniqueItems: true, maxItems: 100 }),
      /** Widths in px by key. Absent: they stay as they are. */
      widths: Type.Optional(
        Type.Record(Type.String(), Type.Integer({ minimum: COLUMN_WIDTH.min, maximum: COLUMN_WIDTH.max }), {
          maxProperties: 100,
          propertyNames: Key,
        }),
      ),
    },
    { additionalProperties: false },
  ),
  response: Action(Columns),
});
