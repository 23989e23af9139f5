import { createHash, randomInt } from 'node:crypto';
import { generateSecret, generateURI, verifySync } from 'otplib';
import { renderSVG } from 'uqr';

const PERIOD_SECONDS = 30;
const ISSUER = 'Breakwater';

/** A new secret of 160 bits in base 32, as authenticators take it (RFC 6238). */
export const drawSecret = (): string => generateSecret();

/** What an authenticator reads with its camera, as a data image. */
export const qrCodeOf = (secret: string, label: string): string => {
  const svg = renderSVG(generateURI({ issuer: ISSUER, label, secret }), { ecc: 'M', border: 2 });
  return `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`;
};

/**
 * The period to which a code belongs: this one, the one before or the one after.
 * @param after period of the last code that was taken; its own and earlier ones no longer count.
 * @returns nothing where the code is wrong or was used.
 */
export const periodOf = (secret: string, code: string, after: number, now = Date.now()): number | undefined => {
  const token = code.replaceAll(/\s/g, '');
  if (!/^\d{6}$/.test(token)) return undefined;
  const result = verifySync({
    secret,
    token,
    strategy: 'totp',
    epoch: Math.floor(now / 1000),
    period: PERIOD_SECONDS,
    epochTolerance: PERIOD_SECONDS,
    afterTimeStep: after,
  });
  return result.valid && 'timeStep' in result ? result.timeStep : undefined;
};

/** Without letters and digits that are mistaken for each other (Crockford's base 32). */
const SIGNS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const SIGN_COUNT = 16;
const CODE_COUNT = 10;

const drawRecoveryCode = (): string =>
  Array.from({ length: SIGN_COUNT }, () => SIGNS[randomInt(SIGNS.length)])
    .join('')
    .replace(/(.{4})(?=.)/g, '$1-');

/** Ten codes of 80 random bits: `ABCD-EFGH-JKMN-PQRS`. */
export const drawRecoveryCodes = (): string[] => Array.from({ length: CODE_COUNT }, drawRecoveryCode);

/** What is kept of a code: 80 random bits cannot be searched through. Read as people type: any case, O for 0, I and L for 1. */
export const hashRecoveryCode = (code: string): Buffer => {
  const signs = code
    .toUpperCase()
    .replaceAll('O', '0')
    .replaceAll(/[IL]/g, '1')
    .replaceAll(/[^0-9A-Z]/g, '');
  return createHash('sha256').update(signs).digest();
};
