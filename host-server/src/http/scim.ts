import { basePath } from '@breakwater/core/platform/api/contract.ts';
import type { AppError } from '@breakwater/core/platform/model/app-error.ts';
import { isScimType } from '@breakwater/core/single-sign-on/model/scim/refusals.ts';

/** Media type of SCIM's answers. Source: RFC 7644 §3.1. */
export const SCIM_MEDIA_TYPE = 'application/scim+json';

/** Whether an address is one of SCIM, whose clients read errors in its own form. */
export const isScim = (url: string): boolean => url.startsWith(`${basePath('scim')}/`);

/** Validation answers with a status that SCIM does not know. */
const statusOf = ({ status, code }: AppError): number => (code === 'validation_failed' ? 400 : status);

/**
 * An error in the form of RFC 7644 §3.12, with our code and the id of the request besides. `scimType` is the type of the first issue where
 * SCIM has a word for it.
 */
export const scimError = (error: AppError, requestId: string) => {
  const [issue] = error.issues ?? [];
  const type = error.code === 'validation_failed' ? 'invalidSyntax' : issue?.type;
  const status = statusOf(error);
  return {
    status,
    body: {
      schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
      status: String(status),
      ...(type !== undefined && isScimType(type) ? { scimType: type } : {}),
      detail: error.code === 'validation_failed' ? (issue?.msg ?? error.userMessage) : error.userMessage,
      code: error.code,
      request_id: requestId,
    },
  };
};
