/** From the lowest to the highest. */
export const TIERS = ['bronze', 'silver', 'gold'] as const;
export type Tier = (typeof TIERS)[number];

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
  /** Why the check does not apply to the connector: it is then neither passed nor failed. Of gold only. */
  readonly notApplicable?: string;
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

/** A check of gold that does not apply, with the reason in words. */
export const notApplicable = (name: string, reason: string): KitCheck => ({
  ...{ tier: 'gold', name, tried: 0, issues: [] },
  notApplicable: reason,
});
