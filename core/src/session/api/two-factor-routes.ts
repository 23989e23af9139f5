import { Type } from 'typebox';
import { route } from '../../platform/api/contract.ts';
import { Action, Done } from '../../platform/api/envelope.ts';
import { SignedIn } from './routes.ts';

const strict = { additionalProperties: false } as const;

/** Six digits of an authenticator; spaces between them do not matter. */
const OtpCode = Type.String({ minLength: 1, maxLength: 20 });
/** One of the ten, in any case, with or without its hyphens. */
const RecoveryCode = Type.String({ minLength: 1, maxLength: 40 });
/** Either of the two. */
const SECOND_FACTOR = { otp_code: Type.Optional(OtpCode), recovery_code: Type.Optional(RecoveryCode) };

const access = { permission: 'account.use', tenant: true } as const;

export const finishLogin = route({
  method: 'POST',
  path: '/login/2fa',
  tag: 'session',
  summary:
    'Finish a sign-in with a code of the authenticator or a recovery code; the ticket is of the answer to the password',
  access: { public: true },
  body: Type.Object({ ticket: Type.String({ minLength: 1, maxLength: 200 }), ...SECOND_FACTOR }, strict),
  response: SignedIn,
  errors: ['sign_in_ticket_invalid', 'second_factor_wrong', 'validation_failed', 'too_many_requests'],
});

export const checkTwoFactor = route({
  method: 'POST',
  path: '/user/check-2fa',
  tag: 'session',
  summary: 'Whether two-factor is on for the caller, and whether their organisation requires it',
  access,
  response: Action(
    Type.Object({ enable_2fa: Type.Boolean(), require_2fa: Type.Boolean(), recovery_codes_left: Type.Integer() }),
  ),
});

export const configureTwoFactor = route({
  method: 'POST',
  path: '/user/configure-2fa',
  tag: 'session',
  summary: 'Begin to set two-factor up: the secret for the authenticator; nothing is asked for until it is saved',
  access,
  response: Action(
    Type.Object({
      qrcode: Type.String({ description: 'A data image (SVG) of the same secret' }),
      otp_data: Type.Object({ secret: Type.String({ description: 'Base 32' }) }),
    }),
  ),
  errors: ['conflict'],
});

export const saveTwoFactor = route({
  method: 'POST',
  path: '/user/save-2fa',
  tag: 'session',
  summary:
    'Switch two-factor on with a code of the new secret; the answer is the only one that shows the recovery codes',
  access,
  audit: 'account.two-factor-enabled',
  body: Type.Object({ otp_code: OtpCode }, strict),
  response: Action(Type.Object({ recovery_codes: Type.Array(Type.String()) })),
  errors: ['conflict', 'validation_failed', 'too_many_requests'],
});

export const removeTwoFactor = route({
  method: 'POST',
  path: '/user/remove-2fa',
  tag: 'session',
  summary: 'Switch two-factor off with a code of the authenticator or a recovery code',
  access,
  audit: 'account.two-factor-disabled',
  body: Type.Object(SECOND_FACTOR, strict),
  response: Done,
  errors: ['conflict', 'validation_failed', 'too_many_requests'],
});
