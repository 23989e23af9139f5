export type Tier = 'bronze' | 'silver';

/** One failed point of the kit. */
export interface KitIssue {
  readonly what: string;
  /** Place in the manifest, the fixture, or the situation in which it happened. */
  readonly where: string;
  readonly fix: string;
}

/** One row of the kit's table. */
export interface KitCheck {
  readonly tier: Tier;
  readonly name: string;
  /** How many situations were tried. */
  readonly tried: number;
  readonly issues: readonly KitIssue[];
  /** What was not tried, and why. */
  readonly notes?: readonly string[];
}

/** The same issue in twenty situations is told once, with the first of them. */
export function condense(issues: readonly KitIssue[]): KitIssue[] {
  const groups = Map.groupBy(issues, ({ what, fix }) => `${what}\n${fix}`);
  return [...groups.values()].flatMap(([first, ...more]) =>
    first === undefined
      ? []
      : [more.length === 0 ? first : { ...first, where: `${first.where}, and ${more.length} more` }],
  );
}
