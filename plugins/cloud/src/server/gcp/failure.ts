import { type ConnectorError, type Json, Type } from '@breakwater/sdk';
import { readIf, refusalError, TokenRefusal, unknownRefusal } from '../lib/answer.ts';

const NEW_KEY = 'Make a new key under IAM & Admin, Service accounts, Keys, and paste the whole file.';

/**
 * Why the token endpoint gave no token: its error is nearly always `invalid_grant`, the text says which.
 * Source: Google identity, "JWT error codes".
 */
export function tokenFailure(status: number, body: Json): ConnectorError {
  const refused = readIf(TokenRefusal, body);
  if (refused === null) return unknownRefusal('Google', status);
  const { error, error_description: text = '' } = refused;
  if (/short-lived token|reasonable timeframe/i.test(text)) {
    const help = 'Set the clock of the Breakwater server; Google accepts a difference of a few minutes.';
    return refusalError({ code: 'auth', message: 'Google refused the key because of the time{code}.', help }, error);
  }
  if (/account not found/i.test(text)) {
    const help = 'Check the client e-mail; a deleted service account needs a new one and a new key.';
    return refusalError({ code: 'auth', message: 'Google knows no such service account{code}.', help }, error);
  }
  if (/disabled/i.test(`${error} ${text}`)) {
    const help = 'Enable it under IAM & Admin, Service accounts.';
    return refusalError({ code: 'auth', message: 'The service account or its key is disabled{code}.', help }, error);
  }
  if (/invalid jwt signature/i.test(text)) {
    return refusalError(
      {
        code: 'auth',
        message: 'The key does not belong to the service account, or it has been deleted{code}.',
        help: NEW_KEY,
      },
      error,
    );
  }
  return refusalError(
    { code: 'auth', message: 'Google refused the key of the service account{code}.', help: NEW_KEY },
    error,
  );
}

const ApiRefusal = Type.Object({
  error: Type.Object({
    status: Type.String(),
    details: Type.Optional(Type.Array(Type.Object({ reason: Type.Optional(Type.String()) }))),
  }),
});

/** Why the project was not shown. Source: Google Cloud APIs, "Errors" (google.rpc.Status and ErrorInfo). */
export function projectFailure(httpStatus: number, body: Json): ConnectorError {
  const refused = readIf(ApiRefusal, body);
  if (refused === null) return unknownRefusal('Google', httpStatus);
  const { status, details = [] } = refused.error;
  if (details.some(({ reason }) => reason === 'SERVICE_DISABLED')) {
    const help = 'Enable the Cloud Resource Manager API: APIs & Services, Library, Cloud Resource Manager API.';
    return refusalError(
      { code: 'scope', message: 'The project has not enabled the API that shows it{code}.', help },
      status,
    );
  }
  if (status === 'PERMISSION_DENIED' || status === 'NOT_FOUND') {
    // Google says the same of a project that does not exist and of one that may not be seen.
    const help = 'Check the project ID, and give the service account the role Viewer under IAM & Admin, IAM.';
    return refusalError({ code: 'scope', message: 'The service account may not see the project{code}.', help }, status);
  }
  if (status === 'UNAUTHENTICATED') {
    return refusalError({ code: 'auth', message: 'Google did not accept its own token{code}.', help: NEW_KEY }, status);
  }
  if (status === 'INVALID_ARGUMENT') {
    const help = 'Enter the ID of the project, not its name or number.';
    return refusalError({ code: 'config', message: 'The project ID is not one{code}.', help }, status);
  }
  return unknownRefusal('Google', httpStatus, status);
}
