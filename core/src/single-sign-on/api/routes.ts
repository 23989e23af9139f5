import { Type } from 'typebox';
import { route } from '../../platform/api/contract.ts';
import { Action, Id, Nullable, OneOf } from '../../platform/api/envelope.ts';
import { ACCOUNT_MATCHES } from '../model/identity.ts';
import { InvitedRoleSchema, Settings, SettingsChange } from './settings-schema.ts';

const strict = { additionalProperties: false } as const;
const Email = Type.String({ format: 'email', maxLength: 254 });
const params = Type.Object({ client_id: Id });

export const getLoginOptions = route({
  method: 'POST',
  path: '/login/options',
  tag: 'single-sign-on',
  summary: 'How people of an e-mail domain sign in; says nothing about whether an account exists',
  access: { public: true },
  body: Type.Object({ email: Email }, strict),
  response: Type.Object({ data: Type.Object({ password: Type.Boolean(), single_sign_on: Type.Boolean() }) }),
  errors: ['too_many_requests'],
});

export const beginSingleSignOn = route({
  method: 'POST',
  path: '/login/single-sign-on',
  tag: 'single-sign-on',
  summary: 'Begin a sign-in at the identity provider of an e-mail domain: answers with the address to go to',
  access: { public: true },
  body: Type.Object({ email: Email, next: Type.Optional(Type.String({ maxLength: 2000 })) }, strict),
  response: Action(Type.Object({ url: Type.String() })),
  errors: ['too_many_requests', 'single_sign_on_refused'],
});

/** What a test sign-in would have done. */
export const TestOutcome = Type.Object({
  subject: Type.String(),
  email: Nullable(Type.String()),
  email_verified: Type.Boolean(),
  groups: Type.Array(Type.String()),
  account: OneOf(ACCOUNT_MATCHES),
  username: Nullable(Type.String()),
  /** The role that groups or the default give; null where it stays as it is. */
  role: Nullable(InvitedRoleSchema),
});

const Text = Type.Optional(Type.String({ maxLength: 4000 }));

export const finishSingleSignOn = route({
  method: 'POST',
  path: '/login/single-sign-on/{client_id}/finish',
  tag: 'single-sign-on',
  summary:
    'End a sign-in with what the identity provider sent the browser back with: `state` and `code`, or a `ticket`',
  access: { public: true },
  params,
  body: Type.Object(
    {
      state: Text,
      code: Text,
      iss: Text,
      error: Text,
      error_description: Text,
      ticket: Text,
    },
    strict,
  ),
  response: Action(
    Type.Object({
      /** Where the person wanted to go. */
      return_path: Type.String(),
      /** Set for a test, which signs nobody in. */
      test: Nullable(TestOutcome),
    }),
  ),
  errors: ['single_sign_on_refused', 'forbidden', 'too_many_requests'],
});

export const receiveAssertion = route({
  method: 'POST',
  path: '/single-sign-on/saml/{client_id}/acs',
  tag: 'single-sign-on',
  summary: 'Take the response of a SAML identity provider (HTTP-POST binding) and lead the browser on',
  access: { public: true },
  isCrossSite: true,
  params,
  bodyKind: 'stream',
  /** The fields of the binding; a RelayState is not read. */
  body: Type.Object({ SAMLResponse: Type.String(), RelayState: Type.Optional(Type.String()) }, strict),
  response: Type.Object({}),
  errors: ['bad_request', 'payload_too_large', 'too_many_requests'],
});

export const getServiceMetadata = route({
  method: 'GET',
  path: '/single-sign-on/saml/{client_id}',
  tag: 'single-sign-on',
  summary: 'SAML metadata of this server for an identity provider',
  access: { public: true },
  params,
  response: Type.String(),
  responseKind: 'file',
});

const access = { permission: 'team.manage', tenant: true } as const;

export const getSettings = route({
  method: 'GET',
  path: '/single-sign-on',
  tag: 'single-sign-on',
  summary: 'How the organisation signs in at its identity provider',
  access,
  response: Type.Object({ data: Settings }),
});

export const saveSettings = route({
  method: 'PUT',
  path: '/single-sign-on',
  tag: 'single-sign-on',
  summary: 'Change how the organisation signs in; what is left out stays as it is',
  access: { permission: 'team.manage', tenant: false },
  audit: 'settings.changed',
  body: SettingsChange,
  response: Action(Settings),
  errors: ['validation_failed', 'conflict'],
});

export const testSettings = route({
  method: 'POST',
  path: '/single-sign-on/test',
  tag: 'single-sign-on',
  summary: 'Begin a test sign-in, which shows what would happen and does nothing',
  access: { permission: 'team.manage', tenant: false },
  response: Action(Type.Object({ url: Type.String() })),
  errors: ['single_sign_on_refused', 'integration_not_configured'],
});
