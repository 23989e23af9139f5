import {
  ConnectorError,
  type ConnectorErrorCode,
  type HttpAnswer,
  type Json,
  type Static,
  Type,
} from '@breakwater/sdk';

/** Body of an answer as text. */
export function textOf(answer: HttpAnswer): string {
  return new TextDecoder().decode(answer.body);
}

/** Body of an answer as JSON; a refusal may come with a web page, which is nothing we can read and no fault of its own. */
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
  readonly message: string;
  readonly help: string;
}

/** Turns a refusal into the error that decides the state. The provider's own code stands in brackets, so that it can be looked up. */
export function refusalError(refusal: Refusal, providerCode: string): ConnectorError {
  const suffix = providerCode === '' ? '' : ` (${providerCode})`;
  return new ConnectorError(refusal.code, `${refusal.message}${suffix}.`, { help: refusal.help });
}

/** A token endpoint's answer. Source: RFC 6749 section 5.1. */
export const TokenAnswer = Type.Object({ access_token: Type.String({ minLength: 1 }) });
export type TokenAnswer = Static<typeof TokenAnswer>;

/** A token endpoint's refusal. Source: RFC 6749 section 5.2. */
export const TokenRefusal = Type.Object({
  error: Type.String(),
  error_description: Type.Optional(Type.String()),
});
