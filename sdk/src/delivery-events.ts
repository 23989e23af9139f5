import { Type } from 'typebox';
import { Check, Errors } from 'typebox/schema';
import type { DeliveryEvent } from './capability-contracts.ts';

const strict = { additionalProperties: false } as const;
const Text = Type.String({ minLength: 1, maxLength: 1000 });
const Count = Type.Integer({ minimum: 1, maximum: Math.trunc(2 ** 53 - 1) });
const OneOf = (names: readonly string[]) => Type.Unsafe<string>({ enum: [...names] });

/** As `DeliveryEvent`; code of strangers answers what it likes. */
const SHAPES: Readonly<Record<DeliveryEvent['kind'], ReturnType<typeof Type.Object>>> = {
  push: Type.Object({ kind: Type.Literal('push'), repository: Text, branch: Text, commit: Text }, strict),
  'pull-request': Type.Object(
    {
      ...{ kind: Type.Literal('pull-request'), repository: Text, number: Count },
      ...{ branch: Text, commit: Text, into: Text, isFromFork: Type.Boolean() },
      action: OneOf(['opened', 'updated', 'merged', 'closed']),
    },
    strict,
  ),
  issue: Type.Object(
    { kind: Type.Literal('issue'), repository: Text, number: Count, action: OneOf(['closed', 'declined']) },
    strict,
  ),
  ticket: Type.Object(
    {
      ...{ kind: Type.Literal('ticket'), id: Text },
      now: Type.Union([Type.Null(), Type.Object({ key: Text, status: Text, isDone: Type.Boolean() }, strict)]),
    },
    strict,
  ),
};

/** More than any delivery means: a push of many branches is many deliveries, or one of at most hundreds. */
const MOST_EVENTS = 1000;

/** What is wrong with what `Webhook.on` answered, in words; empty for a sound answer. `undefined` means nothing, as an empty list. */
export function deliveryEventIssues(events: unknown): string[] {
  if (events === undefined || events === null) return [];
  if (!Array.isArray(events)) return ['it answers no list of events'];
  if (events.length > MOST_EVENTS) return [`it answers more than ${MOST_EVENTS} events`];
  return events.flatMap((event, index) => eventIssues(event).map((issue) => `event ${index}: ${issue}`));
}

function eventIssues(event: unknown): string[] {
  const kind: unknown = typeof event === 'object' && event !== null ? Reflect.get(event, 'kind') : undefined;
  const shape = typeof kind === 'string' && Object.hasOwn(SHAPES, kind) ? Reflect.get(SHAPES, kind) : undefined;
  if (shape === undefined) return [`its kind is none of ${Object.keys(SHAPES).join(', ')}`];
  if (Check(shape, event)) return [];
  return Errors(shape, event)[1].map(
    ({ instancePath, message }) => `${instancePath.slice(1).replaceAll('/', '.') || 'it'}: ${message}`,
  );
}
