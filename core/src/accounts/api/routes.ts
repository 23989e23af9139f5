import { Type } from 'typebox';
import { route } from '../../platform/api/contract.ts';
import { Action, Done, List, Nullable, OneOf, pageQuery } from '../../platform/api/envelope.ts';

const Password = Type.String({ minLength: 1, maxLength: 256 });
const Email = Type.String({ format: 'email', maxLength: 254 });
const LinkToken = Type.Object({ token: Type.String({ minLength: 1, maxLength: 200 }) });
const NEW_PASSWORD = { password: Password, confirm_password: Password };

export const register = route({
  method: 'POST',
  path: '/register',
  tag: 'accounts',
  summary: 'Ask for an organisation of one’s own: a link is mailed, open for 72 hours',
  access: { public: true },
  body: Type.Object(
    { organization_name: Type.String({ minLength: 1, maxLength: 200 }), email: Email },
    { additionalProperties: false },
  ),
  response: Done,
  errors: ['forbidden', 'validation_failed', 'too_many_requests'],
});

export const readRegistration = route({
  method: 'GET',
  path: '/verify-register/{token}',
  tag: 'accounts',
  summary: 'Whose registration a mailed link verifies',
  access: { public: true },
  params: LinkToken,
  response: Action(Type.Object({ email: Type.String(), organization_name: Type.String() })),
  errors: ['link_invalid'],
});

export const verifyRegistration = route({
  method: 'POST',
  path: '/verify-register/{token}',
  tag: 'accounts',
  summary: 'Use the link: makes the organisation and its admin',
  access: { public: true },
  params: LinkToken,
  body: Type.Object(
    { username: Type.String({ minLength: 1, maxLength: 100 }), ...NEW_PASSWORD },
    { additionalProperties: false },
  ),
  response: Done,
  errors: ['link_invalid', 'validation_failed', 'conflict'],
});

export const resendVerification = route({
  method: 'GET',
  path: '/resend-verification/{token}',
  tag: 'accounts',
  summary: 'Mail a new link in place of this one, which may have ended',
  access: { public: true },
  params: LinkToken,
  response: Done,
  errors: ['link_invalid', 'too_many_requests'],
});

export const requestPasswordReset = route({
  method: 'POST',
  path: '/password-reset-request',
  tag: 'accounts',
  summary: 'Mail a link to set a new password, open for one hour; the answer is the same whether the address is known',
  access: { public: true },
  body: Type.Object({ email: Email }, { additionalProperties: false }),
  response: Done,
  errors: ['validation_failed', 'too_many_requests'],
});

export const confirmPasswordReset = route({
  method: 'POST',
  path: '/password-reset-confirm',
  tag: 'accounts',
  summary: 'Use the link: sets the password and ends every session',
  access: { public: true },
  body: Type.Object(
    { token: Type.String({ minLength: 1, maxLength: 200 }), ...NEW_PASSWORD },
    { additionalProperties: false },
  ),
  response: Done,
  errors: ['link_invalid', 'validation_failed'],
});

export const changePassword = route({
  method: 'POST',
  path: '/user/change_password',
  tag: 'accounts',
  summary: 'Set another password; every session ends, this one too',
  access: { permission: 'account.use', tenant: false },
  audit: 'account.password-changed',
  body: Type.Object({ old_password: Password, ...NEW_PASSWORD }, { additionalProperties: false }),
  response: Done,
  errors: ['validation_failed', 'too_many_requests'],
});

export const MailAttributes = Type.Object({
  recipient: Type.String(),
  subject: Type.String(),
  status: OneOf(['queued', 'sent', 'failed', 'expired']),
  attempts: Type.Integer(),
  created_at: Type.String(),
  sent_at: Nullable(Type.String()),
  last_error: Nullable(Type.String()),
  /** Null where its link opens an account of somebody else, or it is gone. */
  content: Nullable(
    Type.Object({
      paragraphs: Type.Array(Type.String()),
      link: Type.Optional(Type.Object({ label: Type.String(), path: Type.String() })),
    }),
  ),
});

export const listMail = route({
  method: 'GET',
  path: '/mail',
  tag: 'accounts',
  summary: 'Mails of the organisation that wait, were sent or could not be sent, newest first',
  access: { permission: 'mail.read', tenant: true },
  query: Type.Object(pageQuery, { additionalProperties: false }),
  response: List(MailAttributes),
});
