import type { FindingType, PostureCheck } from '@breakwater/sdk';
import type { CweEntry } from './reference.ts';

/** Findings that speak of a control: of these families, and where weaknesses are named, of one of those too. */
export interface ControlRule {
  readonly families: readonly FindingType[];
  /** With all weaknesses below them. */
  readonly cwe?: readonly number[] | undefined;
  /** Without those below them: pillars and classes that hold nearly everything. */
  readonly exactCwe?: readonly number[] | undefined;
}

/** A control (requirement, criterion, article) in our own short words, by language. */
export interface Control {
  /** As the framework counts it: `6.2.4`, `Art. 9(4)(c)`. */
  readonly id: string;
  readonly text: { readonly en: string; readonly de: string };
  readonly rules: readonly ControlRule[];
  /** Settings of repositories that bear on it. */
  readonly checks?: readonly PostureCheck[] | undefined;
}

/** One framework as the files of `core/data/frameworks` hold it. */
export interface Framework {
  readonly id: string;
  readonly name: string;
  readonly edition: string;
  readonly publisher: string;
  /** Where the framework itself is found. */
  readonly source: string;
  /** ISO day of our mapping. */
  readonly date: string;
  /** Lower-case words by which an organisation names it among its regulations. */
  readonly aliases: readonly string[];
  readonly controls: readonly Control[];
}

/** What a control or a whole framework matches, with the weaknesses spelled out. */
export interface ControlMatch {
  /** `pci-dss-4:6.2.4`, or `pci-dss-4` for any of its controls. */
  readonly key: string;
  /** All findings of these families. */
  readonly families: readonly FindingType[];
  /** Findings of a family and a weakness. */
  readonly weaknesses: readonly { readonly families: readonly FindingType[]; readonly cwe: readonly number[] }[];
  readonly checks: readonly PostureCheck[];
}

export interface Frameworks {
  readonly list: readonly Framework[];
  /** By key; undefined where there is no such framework or control. */
  match(key: string): ControlMatch | undefined;
}

/** Value of the filter `control` for one control. */
export const controlKey = (framework: string, control: string): string => `${framework}:${control}`;

type Weaknesses = Iterable<Pick<CweEntry, 'id' | 'parents'>>;

const belowOf = (weaknesses: Weaknesses): ((ids: readonly number[]) => number[]) => {
  const below = new Map<number, number[]>();
  for (const { id, parents } of weaknesses)
    for (const parent of parents) below.set(parent, [...(below.get(parent) ?? []), id]);
  return (ids) => {
    const found = new Set<number>();
    const waiting = [...ids];
    for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
      if (found.has(id)) continue;
      found.add(id);
      waiting.push(...(below.get(id) ?? []));
    }
    return [...found];
  };
};

/** Look-ups over frameworks. Pure. @param weaknesses the enumeration, for what lies below a weakness */
export const createFrameworks = (list: readonly Framework[], weaknesses: Weaknesses): Frameworks => {
  const spellOut = belowOf(weaknesses);
  const matchOf = (key: string, controls: readonly Control[]): ControlMatch => {
    const rules = controls.flatMap((control) => control.rules);
    const isWhole = ({ cwe, exactCwe }: ControlRule) => cwe === undefined && exactCwe === undefined;
    return {
      key,
      families: [...new Set(rules.filter(isWhole).flatMap(({ families }) => families))],
      weaknesses: rules
        .filter((rule) => !isWhole(rule))
        .map(({ families, cwe = [], exactCwe = [] }) => ({
          families,
          cwe: [...new Set([...spellOut(cwe), ...exactCwe])],
        })),
      checks: [...new Set(controls.flatMap(({ checks }) => checks ?? []))],
    };
  };
  const matches = new Map(
    list.flatMap(({ id, controls }) =>
      [matchOf(id, controls), ...controls.map((control) => matchOf(controlKey(id, control.id), [control]))].map(
        (match) => [match.key, match] as const,
      ),
    ),
  );
  return { list, match: (key) => matches.get(key) };
};
