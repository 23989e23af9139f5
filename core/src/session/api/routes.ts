import { Type } from 'typebox';
import { route } from '../../platform/api/contract.ts';
import { Action, Done, Id, Nullable, OneOf } from '../../platform/api/envelope.ts';
import { DENSITIES } from '../../platform/model/locale.ts';
import { ROLES } from '../../platform/model/permissions.ts';

/** Argon2id comes later; here only the outer bounds. The policy itself is `session/model/password-policy.ts`. */
const Password = Type.String({ minLength: 1, maxLength: 256 });

/** What Google says of a person who signs in by it. */
export const GoogleProfile = Type.Object({ email: Type.String(), name: Type.String() });

/** How a person reads the interface; null follows the browser, or the language. */
export const Locale = Type.Object({
  language: Nullable(Type.String({ maxLength: 35, description: 'BCP 47, such as de' })),
  time_zone: Nullable(Type.String({ maxLength: 64, description: 'IANA, such as Europe/Berlin' })),
  number_format: Nullable(
    Type.String({ maxLength: 35, description: 'BCP 47 of a place whose figures are written so' }),
  ),
  density: Nullable(OneOf(DENSITIES)),
});

/** Who is signed in, and where. */
export const SessionData = Type.Object({
  user: Type.Object({ _id: Id, email: Type.String(), username: Type.String(), role: OneOf(ROLES) }),
  client: Nullable(Type.Object({ _id: Id, organization_name: Type.String() })),
  /** The organisation requires two-factor and this person has none: nothing else is answered until it is set up. */
  needs_2fa: Type.Optional(Type.Literal(true)),
  /** How they read the interface; absent at the first start. */
  locale: Type.Optional(Locale),
  /** There may be pictures of people at `/users/{id}/avatar`; else nobody needs to ask. */
  has_avatars: Type.Optional(Type.Literal(true)),
});

/** Somebody is signed in: the cookie is set, and the token told to clients that asked for it. */
export const SignedIn = Action(Type.Object({ ...SessionData.properties, access_token: Type.Optional(Type.String()) }));

/** The password was right; a code is still to be given to `POST /login/2fa`. */
export const SecondFactorWanted = Type.Object({ requires_2fa: Type.Literal(true), ticket: Type.String() });

/** State of the first start: `needed` while no user exists. */
export const getSetup = route({
  method: 'GET',
  path: '/setup',
  tag: 'session',
  summary: 'Whether the first organisation still has to be made',
  access: { public: true },
  response: Type.Object({
    data: Type.Object({
      needed: Type.Boolean(),
      /** The caller sits at another machine and has to give the code that the server printed. */
      needs_code: Type.Optional(Type.Boolean()),
    }),
  }),
});

export const createSetup = route({
  method: 'POST',
  path: '/setup',
  tag: 'session',
  summary: 'Make the first organisation and its admin, and sign in',
  access: { public: true },
  body: Type.Object(
    {
      organization_name: Type.String({ minLength: 1, maxLength: 200 }),
      email: Type.String({ format: 'email', maxLength: 254 }),
      username: Type.String({ minLength: 1, maxLength: 100 }),
      password: Password,
      confirm_password: Password,
      setup_code: Type.Optional(
        Type.String({ maxLength: 100, description: 'As the server printed it, from another machine' }),
      ),
    },
    { additionalProperties: false },
  ),
  response: Action(SessionData),
  errors: ['setup_already_done', 'validation_failed', 'too_many_requests'],
});

export const SignInOptions = Type.Object({
  /** Whether this installation sends mail; without it nobody registers or resets a password by themselves. */
  sends_mail: Type.Boolean(),
  /** Whether people may sign in by Google. */
  google: Type.Boolean(),
});

export const getSignInOptions = route({
  method: 'GET',
  path: '/login/options',
  tag: 'session',
  summary: 'What the pages of people who are not signed in may offer',
  access: { public: true },
  response: Type.Object({ data: SignInOptions }),
});

export const login = route({
  method: 'POST',
  path: '/login',
  tag: 'session',
  summary: 'Sign in with e-mail or username and password',
  access: { public: true },
  body: Type.Object(
    {
      email: Type.Optional(Type.String({ maxLength: 254 })),
      username: Type.Optional(Type.String({ maxLength: 254 })),
      password: Password,
      rememberMe: Type.Optional(Type.Boolean()),
    },
    { additionalProperties: false },
  ),
  response: Type.Union([SignedIn, SecondFactorWanted]),
  errors: ['bad_credentials', 'too_many_requests', 'single_sign_on_required'],
});

export const logout = route({
  method: 'POST',
  path: '/logout',
  tag: 'session',
  summary: 'End this session',
  access: { permission: 'account.use', tenant: false },
  audit: 'sign-in.ended',
  response: Done,
});

export const getSession = route({
  method: 'GET',
  path: '/session',
  tag: 'session',
  summary: 'Who is signed in',
  access: { permission: 'account.use', tenant: false },
  response: Type.Object({
    success: Type.Literal(true),
    data: Type.Object({
      ...SessionData.properties,
      enable_2fa: Type.Boolean(),
      /** 1 where this session was opened by Google. */
      google_auth: Type.Integer({ minimum: 0, maximum: 1 }),
      /** What Google said last of the person; null for who never signed in by it. */
      google_profile: Nullable(GoogleProfile),
    }),
  }),
});
