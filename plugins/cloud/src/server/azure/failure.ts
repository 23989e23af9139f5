import { type ConnectorError, type Json, Type } from '@breakwater/sdk';
import { type Refusal, readIf, refusalError, TokenRefusal, unknownRefusal } from '../lib/answer.ts';

/** Source: Microsoft Entra authentication and authorization error codes (AADSTS). */
const TOKEN_REFUSALS: Readonly<Record<string, Refusal>> = {
  AADSTS7000215: {
    code: 'auth',
    message: 'The client secret is wrong{code}.',
    help: 'Enter the value of the secret, not its ID; make a new one under Certificates & secrets if it is lost.',
  },
  AADSTS7000222: {
    code: 'auth',
    message: 'The client secret has expired{code}.',
    help: 'Make a new secret under App registrations, Certificates & secrets, and enter its value.',
  },
  AADSTS700016: {
    code: 'config',
    message: 'The directory has no application with this ID{code}.',
    help: 'Check the application (client) ID and the directory (tenant) ID against the overview of the app registration.',
  },
  AADSTS90002: {
    code: 'config',
    message: 'There is no directory (tenant) with this ID{code}.',
    help: 'Copy the directory ID from Entra ID, Overview.',
  },
  AADSTS900023: {
    code: 'config',
    message: 'The directory (tenant) ID is not one{code}.',
    help: 'Copy the directory ID from Entra ID, Overview.',
  },
  AADSTS7000112: {
    code: 'auth',
    message: 'The application has been disabled{code}.',
    help: 'Enable sign-in for it under Entra ID, Enterprise applications, Properties.',
  },
  AADSTS53003: {
    code: 'scope',
    message: 'A Conditional Access policy blocks the application{code}.',
    help: 'Exclude the application or the address of the Breakwater server from the policy.',
  },
};

/** Source: Azure Resource Manager, "Troubleshoot common Azure deployment errors" and the REST API reference. */
const SUBSCRIPTION_REFUSALS: Readonly<Record<string, Refusal>> = {
  AuthorizationFailed: {
    code: 'scope',
    message: 'The application may not read the subscription{code}.',
    help: 'Give the application the role Reader: Subscriptions, Access control (IAM), Add role assignment.',
  },
  // Azure hides a subscription on which the caller has no role.
  SubscriptionNotFound: {
    code: 'config',
    message: 'The subscription does not exist, or the application has no role on it{code}.',
    help: 'Check the subscription ID, and give the application the role Reader on the subscription.',
  },
  InvalidSubscriptionId: {
    code: 'config',
    message: 'The subscription ID is not one{code}.',
    help: 'Copy the subscription ID from Subscriptions, Overview.',
  },
  InvalidAuthenticationTokenTenant: {
    code: 'config',
    message: 'The subscription belongs to another directory (tenant){code}.',
    help: 'Enter the directory ID that the overview of the subscription shows.',
  },
  InvalidAuthenticationToken: {
    code: 'auth',
    message: 'Azure did not accept its own token{code}.',
    help: 'Try again; if it stays, check the clock of the Breakwater server.',
  },
  ExpiredAuthenticationToken: {
    code: 'auth',
    message: 'The token of the application had expired when it was used{code}.',
    help: 'Set the clock of the Breakwater server and test again.',
  },
};

const ArmRefusal = Type.Object({ error: Type.Object({ code: Type.String() }) });

/** Why the login service gave no token. */
export function tokenFailure(status: number, body: Json): ConnectorError {
  const refused = readIf(TokenRefusal, body);
  if (refused === null) return unknownRefusal('Microsoft Entra', status);
  const code = /AADSTS\d+/.exec(refused.error_description ?? '')?.[0] ?? refused.error;
  const refusal = TOKEN_REFUSALS[code] ?? {
    code: 'auth',
    message: 'Microsoft Entra refused the application{code}.',
    help: 'Look the code up at https://login.microsoftonline.com/error and check the four fields.',
  };
  return refusalError(refusal, code);
}

/** Why Resource Manager did not show the subscription. */
export function subscriptionFailure(status: number, body: Json): ConnectorError {
  const code = readIf(ArmRefusal, body)?.error.code ?? '';
  const refusal = SUBSCRIPTION_REFUSALS[code];
  return refusal === undefined ? unknownRefusal('Azure', status, code) : refusalError(refusal, code);
}
