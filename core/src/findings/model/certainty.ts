/**
 * How sure it is that a duplicate says the same as its original: one place and weakness or one name of a vulnerability
 * (certain), a close place and the same kind of weakness (likely), or somebody said so (person).
 */
export const CERTAINTIES = ['likely', 'certain', 'person'] as const;
export type Certainty = (typeof CERTAINTIES)[number];
