import { type TSchema, Type } from 'typebox';
import { Check } from 'typebox/schema';
import { isNormalizedFinding } from '../../findings/finding-schema.ts';

/** What members answer, as far as the host acts on it without looking again. */
const Text = Type.String({ maxLength: 100_000 });
const Ticket = Type.Object({ id: Text, key: Text, url: Text, status: Text, isDone: Type.Boolean() });
const Changes = Type.Array(Type.Object({ setting: Text, from: Text, to: Text }));
const Link = Type.Object({ url: Text, number: Type.Optional(Type.Number()) });
const Stand = Type.Union([Type.Object({ state: Text }), Type.Null()]);

const ANSWERS: Readonly<Record<string, TSchema>> = {
  check: Type.Object({ identity: Text, scopes: Type.Optional(Type.Array(Text)) }),
  'scm.user': Type.Object({ name: Text, email: Type.Optional(Text) }),
  'scm.listRepositories': Type.Object({ id: Text, name: Text, url: Text }),
  'scm.listBranches': Type.Object({ name: Text, commit: Text }),
  'scm.posture': Type.Array(Type.Object({ check: Text, state: Text, detail: Text })),
  'scm.pullRequest': Stand,
  'scm.issue': Stand,
  'scm.resolveRef': Type.Union([Text, Type.Null()]),
  'scm.write.commitFiles': Text,
  'scm.write.openPullRequest': Link,
  'scm.write.openIssue': Link,
  'scm.write.comment': Link,
  'scm.write.createWebhook': Type.Object({ id: Text }),
  'scm.write.settings.plan': Changes,
  'scm.write.settings.set': Changes,
  'cloud.identity': Type.Object({ account: Text, principal: Type.Optional(Text) }),
  'cloud.inventory': Type.Object({ id: Text, type: Text }),
  'remediator.models': Type.Array(Text),
  'remediator.complete': Type.Object({ text: Type.Optional(Text) }),
  'tickets.draft': Type.Record(Type.String(), Text),
  'tickets.createTicket': Type.Object({ isTaken: Type.Boolean(), ticket: Type.Union([Ticket, Type.Null()]) }),
  'tickets.tracking.projects': Type.Object({ key: Text, name: Text }),
  'tickets.tracking.types': Type.Union([Type.Array(Text), Type.Null()]),
  'tickets.tracking.transition': Ticket,
  'tickets.tracking.ticket': Type.Union([Ticket, Type.Null()]),
  'webhook.on': Type.Array(Type.Object({ kind: Text })),
  'migrate.config': Type.Record(Type.String(), Type.Unknown()),
};

const Target = Type.Object({
  kind: Type.Literal('target'),
  id: Type.String({ minLength: 1, maxLength: 1_000 }),
  name: Text,
  url: Type.Optional(Text),
});
const Cursor = Type.Object({ kind: Type.Literal('cursor'), cursor: Text });
/** Records of a report that are no findings; of components and coverage the parts that the host goes through. */
const Others = Type.Union([
  Type.Object({ kind: Type.Literal('unreadable'), where: Text, why: Text }),
  Type.Object({
    kind: Type.Literal('report'),
    toolName: Type.Optional(Text),
    toolVersion: Type.Optional(Text),
    target: Type.Optional(Text),
    date: Type.Optional(Text),
  }),
  Type.Object({
    kind: Type.Literal('coverage'),
    part: Type.Optional(Type.Record(Type.String(), Text)),
    files: Type.Optional(Type.Array(Text)),
    types: Type.Optional(Type.Array(Text)),
    unchecked: Type.Optional(Type.Array(Text)),
  }),
  Type.Object({ kind: Type.Literal('failure'), why: Text }),
  Type.Object({ kind: Type.Literal('component'), name: Text }),
]);

/** Whether an answer has the form that its member promises. `routes` answer anything that JSON can say. */
export function isSound(member: string, value: unknown): boolean {
  if (member === 'findings.sync') return isNormalizedFinding(value) || Check(Target, value) || Check(Cursor, value);
  if (member === 'parse') return isNormalizedFinding(value) || Check(Others, value);
  if (member === 'webhook.on' && value === undefined) return true;
  if (member === 'scm.readFile') return value === null || value instanceof Uint8Array;
  const schema = ANSWERS[member];
  return schema === undefined || Check(schema, value);
}
