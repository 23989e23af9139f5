import { ConnectorError } from '@breakwater/sdk';
import { type Refusal, refusalError, unknownRefusal } from '../lib/answer.ts';
import { element } from './xml.ts';

const CLOCK: Refusal = {
  code: 'auth',
  message: 'AWS refused the signature because of its time{code}.',
  help: 'Set the clock of the Breakwater server: AWS accepts a difference of at most 15 minutes.',
};

/** Source: AWS "Common error types" and the STS API reference. */
const REFUSALS: Readonly<Record<string, Refusal>> = {
  InvalidClientTokenId: {
    code: 'auth',
    message: 'AWS does not know this access key, or it has been deactivated{code}.',
    help: 'In IAM, Users, Security credentials, check that the access key ID is right and the key is active.',
  },
  SignatureDoesNotMatch: {
    code: 'auth',
    message: 'The secret access key does not belong to the access key ID{code}.',
    help: 'Enter the secret again; it is shown only once, so make a new access key if it is lost.',
  },
  RequestExpired: CLOCK,
  ExpiredToken: {
    code: 'auth',
    message: 'The access key has expired{code}.',
    help: 'Make a new access key in IAM and enter both parts.',
  },
  AccessDenied: {
    code: 'scope',
    message: 'A policy of the organisation forbids this access key{code}.',
    help: 'Allow the user of the key, and give it the policy SecurityAudit.',
  },
  OptInRequired: {
    code: 'scope',
    message: 'The AWS account is not activated for this service{code}.',
    help: 'Finish the registration of the AWS account.',
  },
};

/** Why STS said no. */
export function awsFailure(status: number, xml: string): ConnectorError {
  const code = element(xml, 'Code') ?? '';
  if (code === 'Throttling') return new ConnectorError('rate_limited', 'AWS is asked too often (Throttling).');
  // STS reports a wrong clock as a wrong signature; only its text tells them apart.
  if (code === 'SignatureDoesNotMatch' && /Signature (expired|not yet current)/.test(xml))
    return refusalError(CLOCK, code);
  const refusal = REFUSALS[code];
  return refusal === undefined ? unknownRefusal('AWS', status, code) : refusalError(refusal, code);
}
