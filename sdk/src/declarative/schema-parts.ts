import { Type } from 'typebox';
import { CONNECTOR_ERROR_CODES } from '../errors.ts';

/** Parts that more than one section of `connector.json` is made of. */
export const strict = { additionalProperties: false } as const;
export const OneOf = (values: readonly string[]) => Type.Unsafe<string>({ type: 'string', enum: [...values] });
export const Expression = Type.String({ minLength: 1, maxLength: 4000 });
const Text = Type.String({ minLength: 1, maxLength: 2000 });
const Texts = Type.Record(Type.String({ maxLength: 200 }), Type.String({ maxLength: 4000 }));
const Scalar = Type.Union([Type.String({ maxLength: 2000 }), Type.Number(), Type.Boolean()]);

export const requestOf = (methods: readonly string[]) =>
  Type.Object(
    {
      method: Type.Optional(OneOf(methods)),
      path: Type.String({ pattern: '^(/|$)', maxLength: 2000 }),
      service: Type.Optional(Text),
      query: Type.Optional(
        Type.Record(Type.String(), Type.Union([Scalar, Type.Array(Type.String(), { maxItems: 100 })])),
      ),
      headers: Type.Optional(Texts),
      body: Type.Optional(Type.Unknown()),
      form: Type.Optional(Texts),
      accept: Type.Optional(Type.Array(Type.Integer({ minimum: 200, maximum: 499 }), { maxItems: 10 })),
    },
    strict,
  );

export const RecordsPath = Type.String({ pattern: '^[^.\\s]+(\\.[^.\\s]+)*$', maxLength: 200 });

export const Refusals = Type.Array(
  Type.Object(
    {
      when: Expression,
      code: OneOf(CONNECTOR_ERROR_CODES),
      message: Type.String({ minLength: 1, maxLength: 200 }),
      help: Type.Optional(Type.String({ minLength: 1, maxLength: 300 })),
    },
    strict,
  ),
  { maxItems: 20 },
);
