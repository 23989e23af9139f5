import { type Static, Type } from 'typebox';

/** Minutes for which a sign-in counts as proof, for who has no password. */
export const FRESH_SIGN_IN_MINUTES = 10;

/** How a person proves that it is they who ask for something that cannot be undone. What they do not have is left out. */
export const PROOF = {
  password: Type.Optional(Type.String({ minLength: 1, maxLength: 256 })),
  /** Six digits of an authenticator. */
  otp_code: Type.Optional(Type.String({ minLength: 1, maxLength: 20 })),
  recovery_code: Type.Optional(Type.String({ minLength: 1, maxLength: 40 })),
};

const GivenProof = Type.Object(PROOF);
export type GivenProof = Static<typeof GivenProof>;
