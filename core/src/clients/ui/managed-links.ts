import type { Severity } from '@breakwater/sdk';

/** All clients. */
export const MANAGED_CLIENTS = '/manage-clients';

/** Findings inside a client; those of one severity where one is named. */
export const managedFindings = (clientId: string, severity?: Severity): string =>
  `${MANAGED_CLIENTS}/findings/${clientId}${severity === undefined ? '' : `?severity=${severity}`}`;

/** A finding beside them, with `:id`. */
export const managedFindingPath = (clientId: string): string =>
  `${MANAGED_CLIENTS}/findings/finding-details/${clientId}/:id`;

/** Repositories inside a client. */
export const managedRepositories = (clientId: string): string => `${MANAGED_CLIENTS}/repositories/${clientId}`;

/** The audit log of a client. */
export const managedAudit = (clientId: string): string => `${MANAGED_CLIENTS}/audit/${clientId}`;
