import {
  ConnectorError,
  type ConnectorErrorCode,
  type HttpAnswer,
  isConnectorError,
  type Json,
  readAnswer,
  type Static,
  type TSchema,
  Type,
} from '@breakwater/sdk';

/** Body of an answer as text. */
export function textOf(answer: HttpAnswer): string {
  return new TextDecoder().decode(answer.body);
}

/** Body of an answer as JSON; a refusal may come with a web page, which is nothing we can read and no error of its own. */
export function jsonOf(answer: HttpAnswer): Json {
  try {
    return JSON.parse(textOf(answer));
  } catch {
    return null;
  }
}

/** What a known refusal of a provider means for the person who entered the credentials. */
export interface Refusal {
  readonly code: ConnectorErrorCode;
  /** A sentence; `{code}` is where the provider's own code goes, in brackets. */
  readonly message: string;
  readonly help: string;
}

/** `AADSTS7000215`, `SignatureDoesNotMatch`, `PERMISSION_DENIED`, `invalid_grant`, `status 403`. */
const CODE = /^(?:AADSTS\d{3,8}|(?:[A-Z][a-z]+){1,8}|[A-Z_]{3,40}|[a-z]+(?:_[a-z]+){1,4}|status \d{3})$/;

/**
 * Turns a refusal into the error that decides the state. The provider's own code stands in brackets, so that it can be looked up; anything
 * else in its place is left out, because a service may repeat what it was sent.
 */
export function refusalError(refusal: Refusal, providerCode: string): ConnectorError {
  const suffix = CODE.test(providerCode) ? ` (${providerCode})` : '';
  return new ConnectorError(refusal.code, refusal.message.replace('{code}', suffix), { help: refusal.help });
}

/** A token endpoint's answer. Source: RFC 6749 section 5.1. */
export const TokenAnswer = Type.Object({ access_token: Type.String({ minLength: 1 }) });

/** A token endpoint's refusal. Source: RFC 6749 section 5.2. */
export const TokenRefusal = Type.Object({
  error: Type.String(),
  error_description: Type.Optional(Type.String()),
});

/**
 * A refusal that says nothing we know: then its status is all there is to go by. `what` begins the sentence, `Azure`.
 */
export function unknownRefusal(what: string, status: number, providerCode = ''): ConnectorError {
  const { code, message, help } = BY_STATUS[status] ?? OTHERWISE;
  return refusalError(
    { code, message: message.replace('{what}', what), help },
    providerCode === '' ? `status ${status}` : providerCode,
  );
}

const OTHERWISE = {
  code: 'upstream',
  message: '{what} refused the request for a reason we do not know{code}.',
  help: 'Try again; if it stays, check that no proxy changes requests, and test the same credentials elsewhere.',
} as const;

const BY_STATUS: Readonly<Record<number, Refusal>> = {
  401: {
    code: 'auth',
    message: '{what} refused the credentials{code}.',
    help: 'Check every field, or make new credentials.',
  },
  403: {
    code: 'scope',
    message: '{what} does not let these credentials do this{code}.',
    help: 'Give them the rights that the form names.',
  },
  404: {
    code: 'config',
    message: '{what} does not know what was asked for{code}.',
    help: 'Check the identifiers in the form.',
  },
};

/** The answer as described, or null where it is something else, such as the web page of a proxy. */
export function readIf<const T extends TSchema>(shape: T, answer: Json): Static<T> | null {
  try {
    return readAnswer(shape, answer);
  } catch (error) {
    if (isConnectorError(error)) return null;
    throw error;
  }
}
