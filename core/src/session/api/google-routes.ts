import { Type } from 'typebox';
import { route } from '../../platform/api/contract.ts';
import { Action } from '../../platform/api/envelope.ts';
import { GoogleProfile, SecondFactorWanted, SignedIn } from './routes.ts';

const strict = { additionalProperties: false } as const;

export const beginGoogle = route({
  method: 'POST',
  path: '/login/google/begin',
  tag: 'session',
  summary:
    "Begin a sign-in by Google in this browser: what Google's script needs, and the nonce that its ID token has to carry",
  access: { public: true },
  response: Action(
    Type.Object({
      client_id: Type.String(),
      /** Address of Google Identity Services. */
      script_url: Type.String(),
      nonce: Type.String(),
    }),
  ),
  errors: ['integration_not_configured', 'too_many_requests'],
});

/** Source: specification §7 "A third-party sign-in script's credential callback returns clientId and credential". */
export const loginByGoogle = route({
  method: 'POST',
  path: '/login/google',
  tag: 'session',
  summary: "Sign in with the ID token that Google's script returned; asks for a second factor as a password does",
  access: { public: true },
  body: Type.Object(
    {
      clientId: Type.String({ minLength: 1, maxLength: 300 }),
      credential: Type.String({ minLength: 1, maxLength: 10_000 }),
    },
    strict,
  ),
  response: Type.Union([SignedIn, SecondFactorWanted]),
  errors: [
    'integration_not_configured',
    'single_sign_on_refused',
    'single_sign_on_required',
    'too_many_requests',
    'upstream_failed',
  ],
});

export const readGoogleProfile = route({
  method: 'POST',
  path: '/user/google-profile',
  tag: 'session',
  summary:
    "Ask Google's userinfo endpoint for the caller's profile and store it: with the token given, else with google_oauth_token of the organisation",
  access: { permission: 'account.use', tenant: false },
  audit: 'account.changed',
  body: Type.Object({ access_token: Type.Optional(Type.String({ minLength: 1, maxLength: 4096 })) }, strict),
  response: Action(GoogleProfile),
  errors: ['integration_not_configured', 'conflict', 'single_sign_on_refused', 'upstream_failed'],
});
