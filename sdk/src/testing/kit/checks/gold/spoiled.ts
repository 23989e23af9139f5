import type { Json } from '../../../../context.ts';

/** A value in which one thing is not as it should be. */
export interface Spoiled {
  /** `commits[0].id is null`. */
  readonly what: string;
  readonly value: Json;
}

/** What stands in the place of something else: of another kind. */
export const OTHER_KINDS: readonly Json[] = [null, {}, [], 'text', true];
/** Also of the same kind, where no number and no text makes sense. */
export const OTHER_VALUES: readonly Json[] = [...OTHER_KINDS, '', -1, 1e21];

/**
 * Copies of a value, each with one part left out or another, and with keys that JavaScript objects treat specially; at most `limit`, evenly
 * chosen. The same value gives the same copies.
 */
export function spoiled(
  value: Json,
  { limit, others }: { readonly limit: number; readonly others: readonly Json[] },
): Spoiled[] {
  const places = placesIn(value);
  const changes: readonly (() => Spoiled)[] = [
    ...others.map((other) => () => ({ what: `the whole is ${JSON.stringify(other)}`, value: other })),
    () => ({ what: 'it has keys of prototypes', value: withPrototypeKeys(value) }),
    ...places.map((place) => () => ({
      what: `${nameOf(place)} is left out`,
      value: replaced(value, place, undefined),
    })),
    ...places.flatMap((place) =>
      others.map((other) => () => ({
        what: `${nameOf(place)} is ${JSON.stringify(other)}`,
        value: replaced(value, place, other),
      })),
    ),
  ];
  const step = Math.max(1, changes.length / limit);
  const chosen = Array.from({ length: Math.min(limit, changes.length) }, (_, index) => Math.floor(index * step));
  return chosen.flatMap((at) => changes[at]?.() ?? []);
}

type Place = readonly (string | number)[];

const nameOf = (place: Place): string =>
  place.map((part, index) => (typeof part === 'number' ? `[${part}]` : index === 0 ? part : `.${part}`)).join('');

/** Lists are looked into at their first item: the others are read by the same code. */
function placesIn(value: Json, at: Place = []): Place[] {
  if (typeof value !== 'object' || value === null) return [];
  const parts: [string | number, Json][] = Array.isArray(value)
    ? value.slice(0, 1).map((item) => [0, item])
    : Object.entries(value);
  return parts.flatMap(([name, item]) => [[...at, name], ...placesIn(item, [...at, name])]);
}

function replaced(value: Json, [name, ...rest]: Place, other: Json | undefined): Json {
  if (name === undefined) return other ?? null;
  if (Array.isArray(value)) {
    return value.flatMap((item, index) => {
      if (index !== name) return [item];
      return rest.length === 0 ? (other === undefined ? [] : [other]) : [replaced(item, rest, other)];
    });
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, item]): [string, Json][] => {
      if (key !== name) return [[key, item]];
      if (rest.length > 0) return [[key, replaced(item, rest, other)]];
      return other === undefined ? [] : [[key, other]];
    }),
  );
}

function withPrototypeKeys(value: Json): Json {
  const text = JSON.stringify(value);
  const strange = '"__proto__":{"isAdmin":true},"constructor":{"prototype":{"isAdmin":true}}';
  return text.startsWith('{"') ? JSON.parse(`{${strange},${text.slice(1)}`) : JSON.parse(`{${strange}}`);
}
