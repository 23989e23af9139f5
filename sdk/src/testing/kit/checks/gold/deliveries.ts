import { createHmac } from 'node:crypto';
import type { Webhook, WebhookProof } from '../../../../capability-contracts.ts';
import type { Ctx, Json } from '../../../../context.ts';
import type { CredentialSchema } from '../../../../credentials.ts';
import { deliveryEventIssues } from '../../../../delivery-events.ts';
import { deliveryOf, isProven, type Outcome, runStep } from '../../../../host/index.ts';
import type { RecordedDelivery } from '../../../fixtures.ts';
import { condense, type KitCheck, type KitIssue, notApplicable } from '../../check.ts';
import { differences, expand } from '../../service/placeholders.ts';
import { play } from '../../service/play.ts';
import { describeOutcome, type Recorded } from '../../service/recorded.ts';
import type { Subject } from '../../service/subject.ts';
import { resultOf } from '../results.ts';
import { OTHER_KINDS, spoiled } from './spoiled.ts';

const NAME = 'deliveries';
const SECRET = 'kit-hook-secret';
/** How many ways one delivery is spoiled in. */
const MOST_SPOILED = 250;
const TIMEOUT_MS = 2000;
const STRANGE_EVENT = 'kit.event-that-nobody-knows';

/**
 * Deliveries prove themselves by the headers that the service sends, mean the same when they come twice, and what is spoiled or unknown is
 * refused or ignored, never a crash.
 */
export async function checkDeliveries(subject: Subject, recorded: readonly Recorded[]): Promise<KitCheck> {
  const { webhook } = subject.code;
  if (webhook === undefined) return notApplicable(NAME, 'it takes no deliveries');
  const { deliveries = [] } = subject.fixture.calls ?? {};
  if (deliveries.length === 0) {
    const fix = 'Record what the service delivers in "calls.deliveries".';
    const issue = { what: 'it takes deliveries, and none was recorded', where: 'conformance.json', fix };
    return { tier: 'gold', name: NAME, tried: 0, issues: [issue] };
  }
  const issues = await Promise.all(
    deliveries.map(async (delivery) => [
      ...proofIssues(webhook.proof, delivery),
      ...(await repeatIssues(subject, recorded, delivery)),
      ...(await spoiledIssues(subject, webhook, delivery)),
    ]),
  );
  return { tier: 'gold', name: NAME, tried: deliveries.length, issues: condense(issues.flat()) };
}

/** What the service sends says what it is about, and proves that it is the service. */
function proofIssues(proof: WebhookProof, { name, event, body, headers }: RecordedDelivery): KitIssue[] {
  const where = `calls.deliveries, ${name}`;
  if (headers === undefined) {
    const fix = `Record them: { "${proof.header.toLowerCase()}": "{{proof}}", … }.`;
    return [{ what: 'nothing says which headers the service delivers it with', where, fix }];
  }
  const raw = Buffer.from(JSON.stringify(body));
  const hmac = createHmac('sha256', SECRET).update(raw).digest('hex');
  const values = { proof: proof.type === 'token' ? SECRET : hmac };
  const sent = Object.fromEntries(
    Object.entries(headers).map(([header, value]) => [header.toLowerCase(), expand(value, values)]),
  );
  const read = deliveryOf(sent, '').event;
  const isGood = isProven(proof, SECRET, { headers: sent, raw });
  const isFooled = isProven(proof, SECRET, { headers: sent, raw: Buffer.concat([raw, Buffer.from(' ')]) });
  return [
    ...(isGood ? [] : [`its headers do not prove it: ${proof.header} must hold {{proof}}`]),
    ...(isGood && isFooled && proof.type !== 'token' ? ['its headers prove another body, too'] : []),
    ...(read === event ? [] : [`its headers say that it is "${read}", and the event is "${event}"`]),
  ].map((what) => ({ what, where, fix: 'Correct the recorded headers, or the proof of the webhook.' }));
}

/** The same delivery may come twice. */
async function repeatIssues(
  subject: Subject,
  recorded: readonly Recorded[],
  { name }: RecordedDelivery,
): Promise<KitIssue[]> {
  const first = recorded.find(({ operation }) => operation.name === `webhook: ${name}`);
  if (first === undefined || !first.played.outcome.ok) return [];
  const where = `calls.deliveries, ${name}`;
  const unsound = deliveryEventIssues(first.played.outcome.value);
  const again = await play(subject, first.operation, { remembered: first.played.remembered });
  const fix = 'A delivery means the same however often it comes: take what it says, not what the store remembers.';
  if (!again.outcome.ok) return [{ what: `it ${describeOutcome(again)} when it comes again`, where, fix }];
  const [one, other] = [first.played, again].map((run) => (run.outcome.ok ? resultOf(run.outcome.value, run) : null));
  return [
    ...unsound.map((issue) => ({
      what: `the host cannot use what it means: ${issue}`,
      where,
      fix: 'Correct the code.',
    })),
    ...differences(one, other, 1).map((difference) => ({
      what: `it means something else when it comes again: ${difference}`,
      where,
      fix,
    })),
  ];
}

/** A delivery in which something is not as it should be, and what came of it. */
interface Tried {
  readonly what: string;
  readonly outcome: Outcome<unknown>;
}

/** All of them in one run of the runtime: they ask little, and there are hundreds. */
async function spoiledIssues(
  subject: Subject,
  webhook: Webhook<CredentialSchema>,
  { name, event, body }: RecordedDelivery,
): Promise<KitIssue[]> {
  const tried: Tried[] = [];
  const attempt = async (ctx: Ctx<CredentialSchema>, what: string, delivery: { event: string; body: Json }) => {
    const outcome = await runStep(() => webhook.on(ctx, { ...delivery, id: 'kit' }), { timeoutMs: TIMEOUT_MS });
    tried.push({ what, outcome });
  };
  await play(subject, {
    name: `webhook: ${name}, spoiled`,
    run: async (ctx) => {
      // where the body alone says what it is about there is none that nobody knows
      if (event !== '') await attempt(ctx, 'an event that nobody knows', { event: STRANGE_EVENT, body });
      for (const one of spoiled(body, { limit: MOST_SPOILED, others: OTHER_KINDS }))
        await attempt(ctx, one.what, { event, body: one.value });
    },
  });
  return tried.flatMap(({ what, outcome }) =>
    problemsOf(what, outcome).map((problem) => ({
      what: problem,
      where: `calls.deliveries, ${name}, ${what}`,
      fix: 'Read the body with readAnswer and a schema; answer [] to what you do not know.',
    })),
  );
}

function problemsOf(what: string, outcome: Outcome<unknown>): string[] {
  if (!outcome.ok) return outcome.crashed ? [`a delivery that is not as usual ${describeOutcome({ outcome })}`] : [];
  if (what.startsWith('an event') && Array.isArray(outcome.value) && outcome.value.length > 0) {
    return ['an event that nobody knows means something'];
  }
  return deliveryEventIssues(outcome.value).map(
    (issue) => `the host cannot use what a spoiled delivery means: ${issue}`,
  );
}
