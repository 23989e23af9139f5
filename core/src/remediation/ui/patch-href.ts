/** Address of the page on which the fix of a finding is looked at and edited. */
export const patchHref = (findingId: string): string => `/findings/${encodeURIComponent(findingId)}/fix`;
