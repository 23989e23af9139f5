import type { Json } from '../../../context.ts';
import type { KitIssue } from '../check.ts';
import { differences, ORIGIN } from '../service/placeholders.ts';
import type { Played } from '../service/play.ts';
import type { Recorded } from '../service/recorded.ts';
import type { Subject } from '../service/subject.ts';

export const UPDATE = 'If it is right, write it down: breakwater-connector test --update, and read the difference.';

/** What an operation answered as JSON: days as ISO texts, bytes as base64, the address of the fake service as `{{origin}}`. */
export function resultOf(value: unknown, { origin }: Pick<Played, 'origin'>): Json {
  if (value === undefined) return null;
  return JSON.parse(JSON.stringify(withoutBytes(value)).replaceAll(origin, ORIGIN));
}

/** Before JSON sees it: a Buffer has a form of its own there. */
function withoutBytes(value: unknown): unknown {
  if (value instanceof Uint8Array) return { base64: Buffer.from(value).toString('base64') };
  if (Array.isArray(value)) return value.map(withoutBytes);
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, withoutBytes(item)]));
}

/** What an operation answers stands in `expect`, and is what came out. */
export function resultIssues({ connector, fixture }: Subject, recorded: Recorded): KitIssue[] {
  const { operation, played } = recorded;
  if (!played.outcome.ok) return [];
  const where = `connectors.${connector.id}.expect["${operation.name}"] of conformance.json`;
  const actual = resultOf(played.outcome.value, played);
  const expected = fixture.expect?.[operation.name];
  if (expected === undefined) {
    return [{ what: `nothing says what ${operation.name} has to answer`, where, fix: UPDATE }];
  }
  return differences(expected, actual).map((difference) => ({
    what: `${operation.name} answers otherwise than expected: ${difference}`,
    where,
    fix: `Correct the code. ${UPDATE}`,
  }));
}

/** Expectations of what the connector cannot do. */
export function strangeExpectations({ connector, fixture, operations }: Subject): KitIssue[] {
  const known = operations.map(({ name }) => name);
  return Object.keys(fixture.expect ?? {})
    .filter((name) => !known.includes(name))
    .map((name) => ({
      what: `the connector has no operation "${name}"`,
      where: `connectors.${connector.id}.expect of conformance.json`,
      fix: `Name one of ${known.join(', ')}.`,
    }));
}

/** Every request of an operation is exactly as it was recorded. */
export function requestIssues({ connector }: Subject, { operation, played }: Recorded): KitIssue[] {
  return [...new Set(played.inexact)].map((difference) => ({
    what: `${operation.name} asks otherwise than recorded: ${difference}`,
    where: `connectors.${connector.id}.exchanges of conformance.json`,
    fix: `Correct the code. ${UPDATE}`,
  }));
}
