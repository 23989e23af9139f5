import { msg } from '../../platform/model/message.ts';
import { sayEnglish } from '../../platform/model/translator.ts';

/** What an identity provider says of a person, after its answer was verified. */
export interface ProvenIdentity {
  /** OIDC issuer, or SAML entity id. */
  issuer: string;
  /** The person at the issuer: OIDC `sub`, or SAML NameID. */
  subject: string;
  email: string | null;
  /** The provider says that the address is the person's own. */
  isEmailVerified: boolean;
  /** Name for people, from which a username is made. */
  name: string | null;
  groups: string[];
}

/** How an account of the organisation belongs to the person. */
export const ACCOUNT_MATCHES = ['linked', 'matched', 'new'] as const;

/** Part after the `@`, in lower case; empty where there is none. */
export const domainOf = (email: string): string => email.slice(email.lastIndexOf('@') + 1).toLowerCase();

const EMAIL = /^[^\s@,;<>()"]+@[a-z0-9-]+(\.[a-z0-9-]+)*$/i;

/** Whether a text is one plain e-mail address. */
export const isPlainEmail = (text: string): boolean => text.length <= 254 && EMAIL.test(text);

/** The rules for an e-mail by which an account is found or made. @returns why it does not count; nothing where it does. */
export const emailIssue = (
  { email, isEmailVerified }: Pick<ProvenIdentity, 'email' | 'isEmailVerified'>,
  domains: readonly string[],
): string | undefined => {
  if (email === null) return msg('The identity provider sent no e-mail address. Let it send the claim "email".');
  if (!isPlainEmail(email)) return msg('The identity provider sent an e-mail address that is none.');
  if (!domains.includes(domainOf(email)))
    return sayEnglish('{email} is not of a domain of this organisation.', { email });
  if (!isEmailVerified) return sayEnglish('The identity provider does not say that {email} is verified.', { email });
  return undefined;
};
