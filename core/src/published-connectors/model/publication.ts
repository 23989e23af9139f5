/** Who sees a published connector: its organisation, or all. */
export const VISIBILITIES = ['private', 'public'] as const;
export type Visibility = (typeof VISIBILITIES)[number];

export const PUBLICATION_STATES = ['published', 'unpublished', 'revoked'] as const;
export type PublicationState = (typeof PUBLICATION_STATES)[number];
