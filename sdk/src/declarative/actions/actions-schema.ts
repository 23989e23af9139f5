import { Type } from 'typebox';
import { SEVERITIES } from '../../findings/finding.ts';
import { TEXT_FORMATS } from '../../text/escape-text.ts';
import { Expression, OneOf, RecordsPath, Refusals, requestOf, strict } from '../schema-parts.ts';

const Most = Type.Integer({ minimum: 1, maximum: 100_000 });
const answered = {
  request: requestOf(['GET', 'POST', 'PUT', 'PATCH']),
  refuse: Type.Optional(Refusals),
  taken: Type.Optional(Expression),
};
const action = {
  text: OneOf(TEXT_FORMATS),
  severities: Type.Optional(
    Type.Object(
      Object.fromEntries(
        [...SEVERITIES, 'none'].map((name) => [name, Type.Optional(Type.String({ minLength: 1, maxLength: 200 }))]),
      ),
      strict,
    ),
  ),
};

const Notify = Type.Object(
  {
    ...action,
    ...answered,
    maxLength: Type.Optional(Type.Object({ title: Type.Optional(Most), text: Type.Optional(Most) }, strict)),
  },
  strict,
);

const TicketAnswer = Type.Object({ ...answered, at: Type.Optional(RecordsPath) }, strict);
const FIELD = '^[a-z][a-z0-9_]*$';

const Ticket = Type.Object(
  {
    ...action,
    draft: Type.Record(Type.String({ pattern: FIELD }), Type.String({ minLength: 1, maxLength: 4000 }), {
      ...{ additionalProperties: false, minProperties: 1, maxProperties: 30 },
    }),
    maxLength: Type.Optional(Type.Record(Type.String({ pattern: FIELD }), Most, strict)),
    find: Type.Object(
      { request: answered.request, records: Type.Optional(RecordsPath), where: Type.Optional(Expression) },
      strict,
    ),
    create: TicketAnswer,
    map: Type.Object(
      {
        ...{ id: Expression, key: Type.Optional(Expression), url: Expression, status: Expression },
        isDone: Type.Optional(Expression),
      },
      strict,
    ),
    read: Type.Optional(TicketAnswer),
    close: Type.Optional(Type.Object(answered, strict)),
  },
  strict,
);

/** Structure of `actions` of `connector.json`. */
export const Actions = Type.Object({ notify: Type.Optional(Notify), ticket: Type.Optional(Ticket) }, strict);
