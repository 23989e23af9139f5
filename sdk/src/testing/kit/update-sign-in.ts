import type { Exchange, RecordedRequest, RecordedSignIn } from '../fixtures.ts';
import { type FilledForm, fillForm } from './service/canary.ts';
import { exactRequest } from './service/exact-request.ts';
import type { Subject } from './service/subject.ts';
import { consentOf, runTokenStep, type TokenStep } from './service/token-service.ts';
import { withFields } from './service/with-fields.ts';

/** The recorded sign-in with what the manifest makes the host ask now. */
export async function updateSignIn(subject: Subject, signIn: RecordedSignIn): Promise<RecordedSignIn> {
  const { auth } = subject.connector;
  if (auth.type !== 'oauth2') return signIn;
  const form = fillForm(subject.connector, subject.fixture);
  const token = form.secrets[auth.tokenField ?? 'oauth_token'] ?? '';
  const refreshToken = form.secrets[auth.refreshField ?? 'refresh_token'] ?? '';
  const update = (exchange: Exchange, step: TokenStep) => updateStep(subject, exchange, { step, form });
  const { refresh, revoke } = signIn;
  return {
    consent: consentOf(subject),
    exchange: await update(signIn.exchange, { name: 'exchange' }),
    ...(refresh === undefined ? {} : { refresh: await update(refresh, { name: 'refresh', token: refreshToken }) }),
    refused: signIn.refused,
    ...(revoke === undefined ? {} : { revoke: await update(revoke, { name: 'revoke', token }) }),
  };
}

async function updateStep(
  subject: Subject,
  exchange: Exchange,
  how: { readonly step: TokenStep; readonly form: FilledForm },
): Promise<Exchange> {
  const { seen } = await runTokenStep(subject, exchange, how);
  const [asked] = seen;
  if (asked === undefined) return exchange;
  const path = new URL(asked.address, 'http://127.0.0.1').pathname;
  const { headers, ...request } = exactRequest({ method: asked.method, path }, asked, {});
  const readable = { ...request, ...(headers === undefined ? {} : { headers: withAccount(headers) }) };
  const filled: RecordedRequest = JSON.parse(
    JSON.stringify(withFields(JSON.parse(JSON.stringify(readable)), how.form)),
  );
  return { request: filled, answer: exchange.answer };
}

/** `Basic ada:secret`, as fixtures write it. */
function withAccount(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => {
      const [, encoded] = /^Basic ([\w+/=]+)$/.exec(value) ?? [];
      return [name, encoded === undefined ? value : `Basic ${Buffer.from(encoded, 'base64').toString('utf8')}`];
    }),
  );
}
