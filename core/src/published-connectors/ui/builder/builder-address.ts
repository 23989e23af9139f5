/** Name in the address of the publication that a new version is written for. */
export const VERSION_OF = 'of';

/** Where the next version of a publication is written. */
export const versionAddress = (publicationId: string): string =>
  `/connector/builder?${new URLSearchParams({ [VERSION_OF]: publicationId })}`;
