import type { Severity } from '@breakwater/sdk';

/** All clients. */
export const MANAGED_CLIENTS = '/manage-clients';

/** Plan, size and open work of a client. */
export const managedOverview = (clientId: string): string => `${MANAGED_CLIENTS}/overview/${clientId}`;

/** Findings inside a client; those of one severity where one is named. */
export const managedFindings = (clientId: string, severity?: Severity): string =>
  `${MANAGED_CLIENTS}/findings/${clientId}${severity === undefined ? '' : `?severity=${severity}`}`;

/** A finding beside them, with `:id`. */
export const managedFindingPath = (clientId: string): string =>
  `${MANAGED_CLIENTS}/findings/finding-details/${clientId}/:id`;

/** Charts of a client. */
export const managedCharts = (clientId: string): string => `${MANAGED_CLIENTS}/charts/${clientId}`;

/** Frameworks inside a client; one of them by `/` and its id. */
export const managedFrameworks = (clientId: string): string => `${MANAGED_CLIENTS}/frameworks/${clientId}`;

/** Repositories inside a client. */
export const managedRepositories = (clientId: string): string => `${MANAGED_CLIENTS}/repositories/${clientId}`;

/** The audit log of a client. */
export const managedAudit = (clientId: string): string => `${MANAGED_CLIENTS}/audit/${clientId}`;
