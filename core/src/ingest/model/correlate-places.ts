import { CERTAINTY, type Correlation } from './correlate.ts';

/** Results that nothing tells apart: they are one another's duplicates without doubt. */
export interface PlaceClass<Place> {
  ids: readonly string[];
  place: Place;
}

interface Comparison<Place> {
  /** Both may be the same issue, by what they are about. */
  isRelated: (a: Place, b: Place) => boolean;
  /** How well the two places agree; null where they are different places. */
  compare: (a: Place, b: Place) => Correlation['certainty'] | null;
}

/** Where one line or vulnerability has more places, comparing each with each would take longer than it tells. */
const MAX_COMPARED = 200;

const withinClasses = <Place>(classes: readonly PlaceClass<Place>[]): Correlation[] =>
  classes.flatMap(({ ids }) => {
    const [a] = ids;
    return a === undefined ? [] : ids.slice(1).map((b) => ({ a, b, certainty: CERTAINTY.certain }));
  });

/**
 * Which results are the same issue. What fits two places that are not the same one is the duplicate of neither, and no group holds two
 * results that do not fit each other.
 */
export const correlatePlaces = <Place>(
  classes: readonly PlaceClass<Place>[],
  { isRelated, compare }: Comparison<Place>,
): Correlation[] => {
  const found = withinClasses(classes);
  if (classes.length > MAX_COMPARED) return found;
  const neighbours = classes.map((one) =>
    classes.filter(
      (other) => one !== other && isRelated(one.place, other.place) && compare(one.place, other.place) !== null,
    ),
  );
  const groups = new Map<PlaceClass<Place>, readonly PlaceClass<Place>[]>();
  const join = (one: PlaceClass<Place>, other: PlaceClass<Place>): boolean => {
    const [left, right] = [groups.get(one) ?? [one], groups.get(other) ?? [other]];
    if (left === right) return true;
    if (!left.every((a) => right.every((b) => compare(a.place, b.place) !== null))) return false;
    const all = [...left, ...right];
    for (const member of all) groups.set(member, all);
    return true;
  };
  const fits = (one: PlaceClass<Place>, all: readonly PlaceClass<Place>[] = []): boolean =>
    all.every((other) => other === one || compare(one.place, other.place) !== null);
  classes.forEach((one, index) => {
    for (const other of neighbours[index] ?? []) {
      const position = classes.indexOf(other);
      if (position < index || !fits(other, neighbours[index]) || !fits(one, neighbours[position])) continue;
      const [a, b] = [one.ids[0], other.ids[0]];
      const certainty = compare(one.place, other.place);
      if (a !== undefined && b !== undefined && certainty !== null && join(one, other)) found.push({ a, b, certainty });
    }
  });
  return found;
};

/** Groups results by all that tells them apart; the place is that of the first. */
export const classesBy = <Item extends { id: string }>(
  items: readonly Item[],
  key: (item: Item) => string,
): PlaceClass<Item>[] =>
  [...Map.groupBy(items, key).values()].flatMap((group) => {
    const [place] = group;
    return place === undefined ? [] : [{ ids: group.map((item) => item.id), place }];
  });
