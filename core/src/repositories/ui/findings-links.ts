import type { Severity } from '@breakwater/sdk';

// Written here, not asked of the findings: they build on repositories, and slices import each other one way only.

/** Address of the open findings of one repository; `path` is that of the list. */
export const findingsOf = (repositoryId: string, path = '/findings'): string => `${path}?repository=${repositoryId}`;

/** The same, of one severity. */
export const findingsOfSeverity = (repositoryId: string, severity: Severity, path = '/findings'): string =>
  `${path}?severity=${severity}&repository=${repositoryId}`;

/** Address of the imports of one repository. */
export const scansOf = (repositoryId: string): string => `/Repositories/${repositoryId}/scans`;
