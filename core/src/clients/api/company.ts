import { Type } from 'typebox';
import { Nullable } from '../../platform/api/envelope.ts';

const strict = { additionalProperties: false } as const;
const Text = Type.String({ maxLength: 200 });
const Places = Type.Array(Type.String({ minLength: 1, maxLength: 300 }), { maxItems: 100 });
const Coordinate = Type.Object(
  { lat: Type.Number({ minimum: -90, maximum: 90 }), long: Type.Number({ minimum: -180, maximum: 180 }) },
  strict,
);
const Sites = Type.Object({ locations: Places }, strict);

const information = {
  legal_name: Text,
  parent_company: Text,
  global_entity_identifier: Text,
  category: Text,
  url_company: Type.String({ maxLength: 2000, pattern: '^$|^https?://[^/?#\\s@]+([/?#]\\S*)?$' }),
};
const structure = {
  headquarters: Type.Object({ coordinate: Nullable(Coordinate), locations: Places }, strict),
  subsidiary: Sites,
  branch: Sites,
  service: Sites,
  data_processing: Sites,
};
const regulations = {
  applicable_regulations: Type.Array(Type.String({ minLength: 1, maxLength: 200 }), { maxItems: 100 }),
};

/** What an organisation says of itself. Source: specification §3 "Client detail". */
export const Company = Type.Object({
  information: Type.Object(information),
  structure: Type.Object(structure),
  regulations: Type.Object(regulations),
});

/** Change of it: fields left out stay, each part of the structure is replaced as a whole. */
export const CompanyChange = Type.Object(
  {
    information: Type.Optional(Type.Partial(Type.Object(information), strict)),
    structure: Type.Optional(Type.Partial(Type.Object(structure), strict)),
    regulations: Type.Optional(Type.Partial(Type.Object(regulations), strict)),
  },
  strict,
);
