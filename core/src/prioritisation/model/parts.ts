/** Parts of the priority score that have a weight, in the order of display. */
export const WEIGHTED_PARTS = ['severity', 'known_exploited', 'epss', 'exploitability', 'data', 'compliance'] as const;
export type WeightedPart = (typeof WEIGHTED_PARTS)[number];

/** The points that each can give at default weights. They add up to 100. */
export const PRIORITY_PARTS = {
  severity: 40,
  known_exploited: 25,
  epss: 15,
  exploitability: 10,
  data: 5,
  compliance: 5,
} as const satisfies Readonly<Record<WeightedPart, number>>;
export type PriorityPartKey = WeightedPart | 'floor';

/** One addend of a priority. All parts of a finding add up to its priority. */
export interface PriorityPart {
  key: PriorityPartKey;
  /** Points given; whole number. */
  points: number;
  /** Points possible; for `floor` what was missing up to the floor. */
  of: number;
  /** What the points rest on: "CVSS 7.5", "EPSS above 99%, 22 Aug 2026". */
  reason: string;
}
