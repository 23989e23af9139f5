import type { WrongCase } from '../../fixtures.ts';
import type { KitCheck, KitIssue } from '../check.ts';
import { play } from '../service/play.ts';
import { describeOutcome, type Recorded, strangerIssues } from '../service/recorded.ts';
import { type Subject, withForm } from '../service/subject.ts';
import { requiredIssues } from './fields.ts';
import { type Languages, untranslated } from './languages.ts';
import { resultIssues } from './results.ts';

/** `check` passes with the recorded answers, and fails rightly with what the fixture calls wrong. */
export async function checkTheCheck(
  subject: Subject,
  recorded: readonly Recorded[],
  languages: Languages,
): Promise<KitCheck> {
  const passes = recorded.find(({ operation }) => operation.name === 'check');
  const wrong = subject.fixture.wrong ?? [];
  const refusals = await Promise.all(wrong.map((_, index) => playWrong(subject, index)));
  const issues = [
    ...(passes?.issues ?? []),
    ...identityIssues(subject, passes),
    ...(passes && passes.issues.length === 0 ? await refusalIssues(subject, passes) : []),
    ...(passes && passes.issues.length === 0 ? await requiredIssues(subject) : []),
    ...refusals.flatMap((one) => one.issues),
  ];
  const tried = recorded.length === 0 ? 0 : 2 + wrong.length;
  const said = refusals.flatMap((one) => one.said);
  return { tier: 'bronze', name: 'check', tried, issues, notes: untranslated(languages, said) };
}

function identityIssues(subject: Subject, passes: Recorded | undefined): KitIssue[] {
  if (!passes?.played.outcome.ok) return [];
  const { value } = passes.played.outcome;
  const identity: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, 'identity') : undefined;
  if (typeof identity !== 'string' || identity.trim() === '') {
    return [
      {
        what: 'check answers without an identity',
        where: 'check with the recorded answers',
        fix: 'Answer with { identity: … }, a name that people know.',
      },
    ];
  }
  return resultIssues(subject, passes);
}

async function refusalIssues(subject: Subject, { operation, used }: Recorded): Promise<KitIssue[]> {
  const [at] = used;
  if (at === undefined) return [];
  const played = await play(subject, operation, { fault: { kind: 'status 401', at } });
  const { outcome } = played;
  if (!outcome.ok && !outcome.crashed && (outcome.error.code === 'auth' || outcome.error.code === 'scope')) return [];
  return [
    {
      what: `check ${describeOutcome(played)} when the service refuses the credentials (401)`,
      where: `check at ${at.request.path}`,
      fix: 'Let the error of ctx.http pass: its code is auth.',
    },
  ];
}

/** What is wrong, and what people would read of it. */
interface Refused {
  readonly issues: readonly KitIssue[];
  readonly said: readonly string[];
}

async function playWrong(subject: Subject, index: number): Promise<Refused> {
  const wrong = subject.fixture.wrong?.[index];
  if (!wrong) return { issues: [], said: [] };
  const name = wrong.during ?? 'check';
  const where = `connectors.${subject.connector.id}.wrong.${index} ("${wrong.name}")`;
  const operation = subject.operations.find((one) => one.name === name);
  if (!operation) {
    const known = subject.operations.map((one) => one.name).join(', ');
    const issue = { what: `the connector has no operation "${name}"`, where, fix: `Name one of ${known}.` };
    return { issues: [issue], said: [] };
  }
  const played = await play(withForm(subject, wrong.credentials), operation, { exchanges: wrong.exchanges });
  const strangers = strangerIssues(subject, operation, played);
  // a request that nothing answers fails too, and so may hide that the case itself was not recognised
  if (strangers.length > 0) {
    const fix = `Add what is asked to the exchanges of the case, or correct the code.`;
    return { issues: strangers.map((issue) => ({ ...issue, where, fix })), said: [] };
  }
  const { outcome } = played;
  if (!outcome.ok && !outcome.crashed && outcome.error.code === wrong.code) {
    const { message, help, retryAfterMs } = outcome.error;
    const issues = waitIssues(wrong, retryAfterMs, { name, where });
    return { issues, said: [message, ...(help === undefined ? [] : [help])] };
  }
  const issue: KitIssue = {
    what: `${name} ${describeOutcome(played)} instead of failing with ${wrong.code}`,
    where,
    fix: `Recognise this answer and throw ConnectorError("${wrong.code}", …).`,
  };
  return { issues: [issue], said: [] };
}

/** How long the connection waits stands beside the code, because a wait that is forgotten or in another unit looks the same. */
function waitIssues(
  { code, retryAfterSeconds }: WrongCase,
  retryAfterMs: number | undefined,
  { name, where }: { readonly name: string; readonly where: string },
): KitIssue[] {
  if (code !== 'rate_limited') return [];
  const seconds = retryAfterMs === undefined ? null : retryAfterMs / 1000;
  if (retryAfterSeconds === seconds) return [];
  const expected =
    retryAfterSeconds === undefined
      ? 'nothing says how long'
      : `expected is ${retryAfterSeconds === null ? 'that the host decides' : `${retryAfterSeconds} s`}`;
  return [
    {
      what: `${name} waits ${seconds === null ? 'as long as the host decides' : `${seconds} s`} in this case, ${expected}`,
      where,
      fix: 'State retryAfterSeconds, null where the service does not say; give ConnectorError the retryAfterMs that the answer names.',
    },
  ];
}
