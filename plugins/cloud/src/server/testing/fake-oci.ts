import { type KeyObject, verify } from 'node:crypto';
import type { TestAnswer, TestRequest } from '@breakwater/sdk/testing';

/** What Oracle knows of one API key. */
export interface FakeOci {
  readonly tenancy: string;
  readonly user: string;
  readonly fingerprint: string;
  readonly publicKey: KeyObject;
  readonly compartment: string;
  readonly compartmentState: string;
  readonly region: string;
}

const SKEW_MS = 5 * 60_000;

/**
 * The identity service. The signature is verified with the public key over what arrived; only the host is the provider's own name.
 * Source: Oracle Cloud Infrastructure, "Request Signatures", IAM API 20160918, "API Errors".
 */
export function fakeOci(oci: FakeOci, now: Date): (request: TestRequest) => TestAnswer {
  return (request) => {
    const issue = signatureIssue(oci, request, now);
    if (issue !== undefined) return refusal(401, 'NotAuthenticated', issue);
    if (request.path === `/20160918/users/${oci.user}`) {
      return {
        json: {
          id: oci.user,
          compartmentId: oci.tenancy,
          name: 'scanner@example.com',
          description: 'Scans',
          lifecycleState: 'ACTIVE',
        },
      };
    }
    if (request.path === `/20160918/tenancies/${oci.tenancy}`) {
      return { json: { id: oci.tenancy, name: 'acme', description: 'Acme', homeRegionKey: 'IAD' } };
    }
    if (request.path === `/20160918/compartments/${oci.compartment}`) {
      const lifecycleState = oci.compartmentState;
      return {
        json: {
          id: oci.compartment,
          compartmentId: oci.tenancy,
          name: 'prod',
          description: 'Production',
          lifecycleState,
        },
      };
    }
    return refusal(404, 'NotAuthorizedOrNotFound', 'Authorization failed or requested resource not found.');
  };
}

const INCOMPLETE = 'The required information to complete authentication was not provided or was incorrect.';

function signatureIssue(oci: FakeOci, request: TestRequest, now: Date): string | undefined {
  const { authorization = '', date = '' } = request.headers;
  const value = (name: string): string => new RegExp(`${name}="([^"]*)"`).exec(authorization)?.[1] ?? '';
  if (!authorization.startsWith('Signature ') || value('version') !== '1') return INCOMPLETE;
  if (value('keyId') !== `${oci.tenancy}/${oci.user}/${oci.fingerprint}`) return INCOMPLETE;
  if (value('algorithm') !== 'rsa-sha256' || value('headers') !== 'date (request-target) host') return INCOMPLETE;
  const target = `${request.method.toLowerCase()} ${request.path}`;
  const text = `date: ${date}\n(request-target): ${target}\nhost: identity.${oci.region}.oraclecloud.com`;
  const isSigned = verify('RSA-SHA256', Buffer.from(text), oci.publicKey, Buffer.from(value('signature'), 'base64'));
  if (!isSigned) return INCOMPLETE;
  const isOff = Math.abs(Date.parse(date) - now.getTime()) > SKEW_MS;
  return isOff ? `Date '${date}' is not within allowed clock skew. Current '${now.toUTCString()}'` : undefined;
}

function refusal(status: number, code: string, message: string): TestAnswer {
  return { status, json: { code, message } };
}
