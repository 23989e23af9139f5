import { type TSchema, Type } from 'typebox';
import { FILTERS, type FilterEntry, type FindingFilters as Filters } from './filter-catalogue.ts';
import { VISIBILITIES } from './states.ts';

const oneOf = (values: readonly string[]) => Type.Unsafe<string>({ type: 'string', enum: [...values] });

/** As long as what an import stores of a name, such as a resource. */
const MAX_WORD = 1000;

const schemaOf = (entry: FilterEntry): TSchema => {
  switch (entry.kind) {
    case 'choices':
      return Type.Array(oneOf(entry.choices));
    case 'words':
      return Type.Array(Type.String({ minLength: 1, maxLength: MAX_WORD }), { maxItems: 200 });
    case 'ids':
      return Type.Array(Type.String({ format: 'uuid' }), { maxItems: 200 });
    case 'cwe':
      return Type.Array(Type.Integer({ minimum: 1, maximum: 100_000 }), { maxItems: 200 });
    case 'column':
      return Type.Integer({ minimum: 0, maximum: 2_147_483_647 });
    case 'bound': {
      const range = { minimum: entry.min, maximum: entry.max };
      return entry.isInteger ? Type.Integer(range) : Type.Number(range);
    }
    case 'date':
      return Type.String({ format: 'date' });
    case 'visibility':
      return oneOf(VISIBILITIES);
  }
};

/** Filters of every findings list, facet and chart, from the catalogue. An absent filter filters nothing. */
export const FindingFilters = Type.Unsafe<Filters>(
  Type.Object(
    Object.fromEntries(Object.entries(FILTERS).map(([key, entry]) => [key, Type.Optional(schemaOf(entry))])),
    { additionalProperties: false },
  ),
);
