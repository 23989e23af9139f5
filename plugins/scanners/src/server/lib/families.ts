import type { FindingType } from '@breakwater/sdk';

/** The family that the uploader chose by a card, where it is one of those the tool's results can be taken for. */
export function familyOf(family: string | undefined, allowed: readonly FindingType[]): FindingType | undefined {
  return allowed.find((type) => type === family);
}
