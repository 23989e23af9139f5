import { type ConnectorError, type HttpAnswer, Type } from '@breakwater/sdk';
import { jsonOf, readIf, refusalError, unknownRefusal } from '../lib/answer.ts';

const OciRefusal = Type.Object({ code: Type.String(), message: Type.Optional(Type.String()) });

/** Why Oracle said no. Source: Oracle Cloud Infrastructure, "API Errors". */
export function ociFailure(answer: HttpAnswer, what: string): ConnectorError {
  const { code, message = '' } = readIf(OciRefusal, jsonOf(answer)) ?? { code: '' };
  if (code === 'NotAuthenticated' && /clock skew/i.test(message)) {
    const help = 'Set the clock of the Breakwater server: Oracle accepts a difference of at most 5 minutes.';
    return refusalError(
      { code: 'auth', message: 'Oracle refused the signature because of its time{code}.', help },
      code,
    );
  }
  if (code === 'NotAuthenticated' || code === 'SignUpRequired') {
    const help =
      'Check tenancy, user, fingerprint and private key; the key must be listed under User settings, API keys.';
    return refusalError({ code: 'auth', message: 'Oracle refused the API key{code}.', help }, code);
  }
  if (code === 'NotAuthorizedOrNotFound' || code === 'NotAuthorized') {
    const help = `Check the OCID and the region, and let a policy allow the user "inspect all-resources in tenancy".`;
    return refusalError(
      { code: 'scope', message: `The ${what} does not exist or the user may not see it{code}.`, help },
      code,
    );
  }
  if (code === 'InvalidParameter' || code === 'CannotParseRequest') {
    const help = 'Copy the OCIDs again from the Oracle console.';
    return refusalError({ code: 'config', message: `The OCID of the ${what} is not one{code}.`, help }, code);
  }
  return unknownRefusal('Oracle', answer.status, code);
}
