import type { OAuth2 } from '../../../../connector.ts';
import type { Exchange, RecordedSignIn } from '../../../fixtures.ts';
import { condense, type KitCheck, type KitIssue, notApplicable } from '../../check.ts';
import { type FilledForm, fillForm, findLeaks, textOf } from '../../service/canary.ts';
import { play } from '../../service/play.ts';
import { describeOutcome, type Recorded } from '../../service/recorded.ts';
import { type Subject, withForm } from '../../service/subject.ts';
import { consentOf, runTokenStep, type TokenRun, type TokenStep } from '../../service/token-service.ts';
import { UPDATE } from '../results.ts';

const NAME = 'sign-in';

interface SignIn {
  readonly subject: Subject;
  readonly auth: OAuth2;
  readonly recorded: RecordedSignIn;
  readonly form: FilledForm;
}

/** From consent to revocation: what is asked was recorded, and what the service gives is used, renewed and given back as it means it. */
export async function checkSignIn(given: Subject, played: readonly Recorded[]): Promise<KitCheck> {
  const { connector, fixture } = given;
  if (connector.auth.type !== 'oauth2') return notApplicable(NAME, 'it does not sign in by OAuth 2.0');
  if (fixture.signIn === undefined) return { tier: 'gold', name: NAME, tried: 0, issues: [unrecorded(connector.id)] };
  const form = fillForm(connector, fixture);
  const subject = withForm(given, { ...form.secrets });
  const signIn: SignIn = { subject, auth: connector.auth, recorded: fixture.signIn, form };
  const issues = [
    ...consentIssues(signIn),
    ...(await exchangeIssues(signIn, played)),
    ...(await refreshIssues(signIn)),
    ...(await refusalIssues(signIn)),
    ...(await revokeIssues(signIn)),
  ];
  return { tier: 'gold', name: NAME, tried: Object.keys(fixture.signIn).length, issues: condense(issues) };
}

const unrecorded = (id: string): KitIssue => ({
  what: 'people sign in by OAuth 2.0, and nothing says what the service answers',
  where: 'conformance.json',
  fix: `Record connectors.${id}.signIn: exchange, refused, and refresh and revoke where the service has them.`,
});

const inManifest = (what: string, fix: string): KitIssue => ({ what, where: 'manifest, auth', fix });

function consentIssues({ subject, recorded }: SignIn): KitIssue[] {
  const consent = consentOf(subject);
  if (recorded.consent === consent) return [];
  const where = `connectors.${subject.connector.id}.signIn.consent of conformance.json`;
  const what =
    recorded.consent === undefined
      ? 'nothing says where a person is sent to agree'
      : `a person is sent to ${consent} to agree, recorded is ${recorded.consent}`;
  return [{ what, where, fix: UPDATE }];
}

/** The tokens of the recorded answer are those with which the check passes. */
async function exchangeIssues(signIn: SignIn, played: readonly Recorded[]): Promise<KitIssue[]> {
  const { subject, auth, recorded, form } = signIn;
  const { run, issues } = await tryStep(signIn, recorded.exchange, { name: 'exchange' });
  if (!run.outcome.ok || issues.length > 0) return issues;
  const { accessToken, refreshToken } = run.outcome.value ?? {};
  const isKept = accessToken === form.secrets[auth.tokenField ?? 'oauth_token'];
  const renewal = renewalIssues(auth, recorded, refreshToken);
  const check = subject.operations.find(({ name }) => name === 'check');
  const usual = played.find(({ operation }) => operation.name === 'check');
  if (isKept || check === undefined || usual === undefined) return renewal;
  const signed = withForm(subject, { [auth.tokenField ?? 'oauth_token']: accessToken ?? null });
  const again = await play(signed, check);
  if (again.outcome.ok && again.inexact.length === 0) return renewal;
  const what = `check ${describeOutcome(again)} with the token that the sign-in gave`;
  return [...renewal, { what, where: 'signIn.exchange', fix: 'Name the field of the token in auth.tokenField.' }];
}

function renewalIssues(auth: OAuth2, recorded: RecordedSignIn, refreshToken: string | undefined): KitIssue[] {
  const { refresh = 'rotate' } = auth;
  if (refresh === 'none' && refreshToken !== undefined) {
    return [inManifest('the service gives a refresh token, and refresh is "none"', 'Say "rotate" or "reuse".')];
  }
  if (refresh !== 'none' && refreshToken === undefined) {
    const fix = 'Say refresh: "none", or ask for the scope with which the service gives one.';
    return [inManifest(`refresh is "${refresh}", and the service gives no refresh token`, fix)];
  }
  if (refresh !== 'none' && recorded.refresh === undefined) {
    const fix = 'Record signIn.refresh, or say refresh: "none".';
    return [inManifest('nothing says what the service answers when the token is renewed', fix)];
  }
  return [];
}

async function refreshIssues(signIn: SignIn): Promise<KitIssue[]> {
  const { auth, recorded, form } = signIn;
  if (recorded.refresh === undefined) return [];
  if (auth.refresh === 'none') return [inManifest('signIn.refresh is recorded, and refresh is "none"', 'Say which.')];
  const token = form.secrets[auth.refreshField ?? 'refresh_token'] ?? '';
  const { run, issues } = await tryStep(signIn, recorded.refresh, { name: 'refresh', token });
  if (!run.outcome.ok || issues.length > 0) return issues;
  const answered = run.outcome.value?.refreshToken;
  if ((auth.refresh ?? 'rotate') === 'rotate' && answered === undefined) {
    return [inManifest('refresh is "rotate", and the service answers no new refresh token', 'Say refresh: "reuse".')];
  }
  if (auth.refresh === 'reuse' && isRotated(recorded.refresh, token)) {
    const fix = 'Say refresh: "rotate", or the next renewal is refused.';
    return [inManifest('refresh is "reuse", and the service answers a new refresh token', fix)];
  }
  return [];
}

/** Whether the recorded answer has a refresh token that is not the one that was sent. */
function isRotated({ answer: { body } }: Exchange, token: string): boolean {
  const given: unknown = typeof body === 'object' && body !== null ? Reflect.get(body, 'refresh_token') : undefined;
  return typeof given === 'string' && given !== token && !/^\{\{\w+\}\}$/.test(given);
}

/** A code or refresh token that the service does not take any more ends in `auth`: only a person can help. */
async function refusalIssues(signIn: SignIn): Promise<KitIssue[]> {
  const { auth, recorded, form } = signIn;
  const token = form.secrets[auth.refreshField ?? 'refresh_token'] ?? '';
  const steps: [Exchange, TokenStep][] = [
    [recorded.exchange, { name: 'exchange' }],
    ...(recorded.refresh === undefined || auth.refresh === 'none'
      ? []
      : [[recorded.refresh, { name: 'refresh', token }] satisfies [Exchange, TokenStep]]),
  ];
  const runs = await Promise.all(
    steps.map(async ([{ request }, step]) => ({
      step,
      run: await runTokenStep(signIn.subject, { request, answer: recorded.refused }, { step, form }),
    })),
  );
  return runs.flatMap(({ step, run: { outcome } }): KitIssue[] => {
    if (!outcome.ok && outcome.error.code === 'auth') return leakIssues(signIn, step, outcome.error);
    const what = `${step.name} ${describeOutcome({ outcome })} instead of auth where the service refuses it`;
    return [{ what, where: 'signIn.refused', fix: 'Record what the service answers to a code that was used before.' }];
  });
}

async function revokeIssues(signIn: SignIn): Promise<KitIssue[]> {
  const { auth, recorded, form } = signIn;
  if (auth.revokeUrl === undefined) {
    if (recorded.revoke === undefined) return [];
    return [inManifest('signIn.revoke is recorded, and there is no revokeUrl', 'Add auth.revokeUrl.')];
  }
  if (recorded.revoke === undefined) {
    return [inManifest('nothing says what the service answers when a token is revoked', 'Record signIn.revoke.')];
  }
  const token = form.secrets[auth.tokenField ?? 'oauth_token'] ?? '';
  const { issues } = await tryStep(signIn, recorded.revoke, { name: 'revoke', token });
  return issues;
}

async function tryStep(
  signIn: SignIn,
  exchange: Exchange,
  step: TokenStep,
): Promise<{ readonly run: TokenRun; readonly issues: KitIssue[] }> {
  const run = await runTokenStep(signIn.subject, exchange, { step, form: signIn.form });
  const where = `signIn.${step.name} of conformance.json`;
  const differs = run.inexact.map((one) => ({
    what: `${step.name} asks otherwise than recorded: ${one}`,
    where,
    fix: UPDATE,
  }));
  if (run.outcome.ok) return { run, issues: differs };
  const what = `${step.name} ${describeOutcome(run)}`;
  const failed = { what, where, fix: 'Correct auth in the manifest, or the recorded answer.' };
  return { run, issues: differs.length > 0 ? differs : [failed] };
}

function leakIssues({ form }: SignIn, { name }: TokenStep, error: Error): KitIssue[] {
  return findLeaks(form.secrets, textOf(error)).map((leak) => ({
    ...{ what: `a secret comes out in the error of ${name}: ${leak.field} ${leak.form}`, where: 'signIn.refused' },
    fix: 'Tell us: this is a fault of Breakwater.',
  }));
}
