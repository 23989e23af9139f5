import { type TSchema, Type } from 'typebox';
import type { Sentence } from '../model/sentence.ts';

/** UUID version 7 in lower case, exposed as `_id`. */
export const Id = Type.String({ format: 'uuid' });
export const Timestamp = Type.String({ format: 'date-time' });
export const Nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

/** One schema for a closed list of words: a single message on a wrong value, unlike a union of literals. */
export const OneOf = <const T extends readonly string[]>(values: T, options: Record<string, unknown> = {}) =>
  Type.Unsafe<T[number]>({ type: 'string', enum: [...values], ...options });

export const Pagination = Type.Object({
  page: Type.Integer({ minimum: 1, description: '1-based' }),
  pageSize: Type.Integer(),
  pageCount: Type.Integer(),
  total: Type.Integer(),
});

export const Item = <T extends TSchema>(attributes: T) => Type.Object({ _id: Type.String(), attributes });
export const One = <T extends TSchema>(attributes: T) => Type.Object({ data: Item(attributes) });
export const List = <T extends TSchema>(attributes: T) =>
  Type.Object({ data: Type.Array(Item(attributes)), meta: Type.Object({ pagination: Pagination }) });
export const Action = <T extends TSchema>(data: T) =>
  Type.Object({ success: Type.Literal(true), data, message: Type.Optional(Type.String()) });
export const Done = Type.Object({ success: Type.Literal(true), message: Type.Optional(Type.String()) });

/** Paging of a list. The flat names and the bracketed ones mean the same (decisions.md "Envelopes"). */
export const pageQuery = {
  pagination: Type.Optional(
    Type.Union([
      Type.Object(
        {
          page: Type.Optional(Type.Integer({ minimum: 1 })),
          pageSize: Type.Optional(Type.Integer({ minimum: 1, maximum: 200 })),
        },
        { additionalProperties: false },
      ),
      Type.Literal('false'),
    ]),
  ),
  pagination_page: Type.Optional(Type.Integer({ minimum: 1 })),
  pagination_pageSize: Type.Optional(Type.Integer({ minimum: 1, maximum: 200 })),
  page: Type.Optional(Type.Integer({ minimum: 1 })),
};

/** A text with its values; a value may be a sentence itself. Source: `platform/model/sentence.ts`. */
export const SentenceShape = Type.Unsafe<Sentence>({
  type: 'object',
  required: ['text'],
  properties: {
    text: { type: 'string', description: 'English, with {name} for each value' },
    one: { type: 'string', description: 'Its form where the value `count` is 1' },
    values: { type: 'object', description: 'Texts, numbers, moments ({ at }), sentences and lists of these' },
  },
});

/** How many there are of each severity. */
export const SeverityCounts = Type.Object({
  critical: Type.Integer(),
  high: Type.Integer(),
  medium: Type.Integer(),
  low: Type.Integer(),
  informational: Type.Integer(),
});
