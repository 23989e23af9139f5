import type { AnyConnector } from '../../../connector.ts';
import type { Ctx, Json } from '../../../context.ts';
import type { CredentialSchema } from '../../../credentials.ts';
import type { ChannelMessage } from '../../../notify/notify.ts';
import type { AnyConnectorCode } from '../../../server.ts';
import { TICKET_VALUES } from '../../../tickets/ticket-template.ts';
import { type Calls, SCM_WRITES, type ScmWriteName, TICKET_WRITES, type TicketWriteName } from '../../fixtures.ts';

type Scm = NonNullable<AnyConnectorCode['scm']>;
type Tickets = NonNullable<AnyConnectorCode['tickets']>;
type ScmCalls = NonNullable<Calls['scm']>;

/** Something that code of a connector does with its service. */
export interface Operation {
  /** `check`, `findings.sync`, `GET /projects`. */
  readonly name: string;
  run(ctx: Ctx<CredentialSchema>): Promise<unknown>;
  /** It only says what something means. */
  readonly asksNothing?: true;
  /** It makes something, once an idempotency key. */
  readonly isWrite?: true;
}

/** The idempotency key of everything that the kit writes. */
export const KEY = 'kit';

/** Everything of a connector that reads, with what the fixture gives to call it. */
export function operationsOf(code: AnyConnectorCode, calls: Calls = {}): Operation[] {
  return [
    ...(code.check ? [{ name: 'check', run: code.check.bind(code) }] : []),
    ...syncOf(code),
    ...cloudOf(code),
    ...scmOf(code, calls),
    ...remediatorOf(code, calls),
    ...ticketsOf(code, calls),
    ...notifyOf(code, calls),
    ...webhookOf(code, calls),
    ...routesOf(code, calls),
  ];
}

function syncOf({ findings }: AnyConnectorCode): Operation[] {
  return findings ? [{ name: 'findings.sync', run: (ctx) => collect(findings.sync(ctx)) }] : [];
}

/** A sync that goes on where another one was interrupted. */
export function syncFrom({ findings }: AnyConnectorCode, cursor: string): Operation | undefined {
  return findings && { name: 'findings.sync from a cursor', run: (ctx) => collect(findings.sync(ctx, cursor)) };
}

function cloudOf({ cloud }: AnyConnectorCode): Operation[] {
  if (!cloud) return [];
  return [
    { name: 'cloud.identity', run: (ctx) => cloud.identity(ctx) },
    ...(cloud.inventory
      ? [{ name: 'cloud.inventory', run: (ctx: Ctx<CredentialSchema>) => collect(cloud.inventory?.(ctx) ?? nothing()) }]
      : []),
  ];
}

type Run = Operation['run'];

/** What is called with something that the fixture names; where it names nothing, `missingCalls` says so. */
function namedScmOf(scm: Scm, { repository, file, pullRequest, issue, ref, posture }: ScmCalls): Operation[] {
  const { readFile, pullRequest: readPullRequest, issue: readIssue, resolveRef, posture: readPosture } = scm;
  const all: readonly (readonly [string, Run | false | undefined])[] = [
    ['listBranches', (ctx) => collect(scm.listBranches(ctx, repository))],
    ['readFile', file && readFile && ((ctx) => readFile.call(scm, ctx, { repository, ...file }))],
    [
      'pullRequest',
      pullRequest !== undefined &&
        readPullRequest &&
        ((ctx) => readPullRequest.call(scm, ctx, { repository, number: pullRequest })),
    ],
    ['issue', issue !== undefined && readIssue && ((ctx) => readIssue.call(scm, ctx, { repository, number: issue }))],
    ['posture', posture === true && readPosture && ((ctx) => readPosture.call(scm, ctx, repository))],
    ['resolveRef', ref && resolveRef && ((ctx) => resolveRef.call(scm, ctx, ref))],
  ];
  return all.flatMap(([name, run]) => (run ? [{ name: `scm.${name}`, run }] : []));
}

function scmOf({ scm }: AnyConnectorCode, calls: Calls): Operation[] {
  if (!scm) return [];
  return [
    { name: 'scm.user', run: (ctx) => scm.user(ctx) },
    { name: 'scm.listRepositories', run: (ctx) => collect(scm.listRepositories(ctx)) },
    ...(calls.scm === undefined
      ? []
      : [...namedScmOf(scm, calls.scm), ...writesOf(scm, calls.scm), ...settingsOf(scm, calls.scm)]),
  ];
}

/** What is gone already is no error, and what says how things stand is only sent again: nothing could be made twice. */
const NOT_MADE: readonly ScmWriteName[] = ['deleteWebhook'];

function writesOf({ write }: Scm, { repository, write: given = {} }: ScmCalls): Operation[] {
  return SCM_WRITES.flatMap((name): Operation[] => {
    const [work, input] = [write?.[name], given[name]];
    if (work === undefined || input === undefined) return [];
    const run: Run = async (ctx) => Reflect.apply(work, write, [ctx, { ...input, repository, idempotencyKey: KEY }]);
    return [{ name: `scm.${name}`, run, ...(NOT_MADE.includes(name) ? {} : { isWrite: true }) }];
  });
}

/** Names of the two operations about one setting. */
export const settingOperations = (check: string) => ({
  plan: `scm.settings.plan: ${check}`,
  set: `scm.settings.set: ${check}`,
});

function settingsOf({ write }: Scm, { repository, settings: asked = [] }: ScmCalls): Operation[] {
  const settings = write?.settings;
  if (settings === undefined) return [];
  return settings.checks
    .filter((check) => asked.includes(check))
    .flatMap((check): Operation[] => {
      const { plan, set } = settingOperations(check);
      return [
        { name: plan, run: (ctx) => settings.plan(ctx, { repository, check }) },
        { name: set, run: (ctx) => settings.set(ctx, { repository, check }) },
      ];
    });
}

function webhookOf({ webhook }: AnyConnectorCode, { deliveries = [] }: Calls): Operation[] {
  if (!webhook) return [];
  return deliveries.map(({ name, event, body }) => ({
    name: `webhook: ${name}`,
    run: (ctx) => webhook.on(ctx, { event, id: KEY, body }),
    asksNothing: true,
  }));
}

function remediatorOf({ remediator }: AnyConnectorCode, calls: Calls): Operation[] {
  if (!remediator) return [];
  const { model = 'test', prompt = 'Say yes.', ...bounds } = calls.remediator ?? {};
  const request = { model, messages: [{ role: 'user', content: prompt }], ...bounds } as const;
  return [
    { name: 'remediator.models', run: (ctx) => remediator.models(ctx) },
    { name: 'remediator.complete', run: (ctx) => collect(remediator.complete(ctx, request)) },
  ];
}

function ticketsOf({ tickets }: AnyConnectorCode, { tickets: asked = {} }: Calls): Operation[] {
  if (!tickets) return [];
  const { project, ticket, write = {} } = asked;
  const { projects, types, ticket: readTicket } = tickets.tracking ?? {};
  const reads: readonly (readonly [string, Run | false | undefined])[] = [
    ['projects', projects && ((ctx) => collect(projects.call(tickets.tracking, ctx)))],
    ['types', types && project !== undefined && ((ctx) => types.call(tickets.tracking, ctx, project))],
    ['ticket', readTicket && ticket !== undefined && ((ctx) => readTicket.call(tickets.tracking, ctx, ticket))],
  ];
  return [
    { name: 'tickets.draft', run: async ({ config }) => tickets.draft(config, TICKET_VALUES), asksNothing: true },
    ...ticketWritesOf(tickets, write),
    ...reads.flatMap(([name, run]) => (run ? [{ name: `tickets.${name}`, run }] : [])),
  ];
}

type Given = Readonly<Record<string, Json>> | undefined;

/** A link replaces the one of the same key, and a transition that is through leaves the ticket as it is. */
function ticketWritesOf(tickets: Tickets, write: NonNullable<NonNullable<Calls['tickets']>['write']>): Operation[] {
  const works: readonly (readonly [TicketWriteName, unknown, object, Given])[] = [
    ['createTicket', tickets.createTicket, tickets, write.createTicket],
    ['link', tickets.tracking?.link, tickets.tracking ?? tickets, write.link],
    ['transition', tickets.tracking?.transition, tickets.tracking ?? tickets, write.transition],
  ];
  return works.flatMap(([name, work, of, input]): Operation[] => {
    if (typeof work !== 'function' || input === undefined) return [];
    const run: Run = async (ctx) => Reflect.apply(work, of, [ctx, { ...input, idempotencyKey: KEY }]);
    return [{ name: `tickets.${name}`, run, ...(name === 'link' ? {} : { isWrite: true }) }];
  });
}

/** What a report might say, made to be understood as a mention, a link or markup. */
const HOSTILE = {
  title: '<!channel> *Bold* [link](https://evil.example) & <https://evil.example|here>',
  text: '@everyone <at>all</at> `code` {{DATE(2020-01-01T00:00:00Z,SHORT)}}',
};

function notifyOf({ notify }: AnyConnectorCode, calls: Calls): Operation[] {
  if (!notify) return [];
  const message: ChannelMessage = {
    ...HOSTILE,
    ...calls.notify,
    kind: 'Test',
    severity: 'critical',
    link: { label: 'Open in Breakwater', url: 'https://breakwater.example/findings' },
    idempotencyKey: KEY,
  };
  return [{ name: 'notify.send', run: (ctx) => notify.send(ctx, message) }];
}

function routesOf({ routes = [] }: AnyConnectorCode, calls: Calls): Operation[] {
  return routes.map((route) => {
    const name = `${route.method} ${route.path}`;
    const input: Json = calls.routes?.[name] ?? {};
    return { name, run: (ctx) => route.handle(ctx, input) };
  });
}

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const collected: T[] = [];
  for await (const item of items) collected.push(item);
  return collected;
}

async function* nothing(): AsyncGenerator<never> {}

/** What the kit cannot call, because the fixture says too little. In words. */
export function missingCalls(connector: AnyConnector, code: AnyConnectorCode, calls: Calls = {}): string[] {
  const place = `connectors.${connector.id}.calls`;
  const tracking = code.tickets?.tracking;
  const { project, ticket } = calls.tickets ?? {};
  const isUnread =
    tracking !== undefined && (ticket === undefined || (tracking.types !== undefined && project === undefined));
  return [
    ...(isUnread ? [`${place}.tickets: name a project and a ticket, so that they can be read`] : []),
    ...missingScmCalls(code, calls, `${place}.scm`),
  ];
}

function missingScmCalls({ scm }: AnyConnectorCode, calls: Calls, place: string): string[] {
  if (!scm) return [];
  if (calls.scm === undefined) return [`${place}: name a repository, so that its branches can be read`];
  const { file, pullRequest, issue, ref, settings = [] } = calls.scm;
  const unknown = settings.filter((asked) => !scm.write?.settings?.checks.some((check) => check === asked));
  return [
    ...unknown.map((check) => `${place}.settings: write.settings.checks does not name "${check}"`),
    ...(scm.readFile && file === undefined ? [`${place}.file: name a file, so that it can be read`] : []),
    ...(scm.pullRequest && pullRequest === undefined ? [`${place}.pullRequest: give the number of one`] : []),
    ...(scm.issue && issue === undefined ? [`${place}.issue: give the number of one`] : []),
    ...(scm.resolveRef && ref === undefined ? [`${place}.ref: name a repository and a tag or branch of it`] : []),
  ];
}

/** What the connector offers and the fixture does not call: allowed, and said. In words. */
export function uncalled(
  { scm, webhook, tickets }: AnyConnectorCode,
  { scm: given, tickets: ofTickets, deliveries = [] }: Calls = {},
): string[] {
  const writes = SCM_WRITES.filter((name) => scm?.write?.[name] !== undefined && given?.write?.[name] === undefined);
  return [
    ...writes.map((name) => `scm.${name} was not tried: say in calls.scm.write what it is given`),
    ...TICKET_WRITES.filter((name) => isOffered(tickets, name) && ofTickets?.write?.[name] === undefined).map(
      (name) => `tickets.${name} was not tried: say in calls.tickets.write what it is given`,
    ),
    ...(scm?.write?.settings?.checks ?? [])
      .filter((check) => given?.settings?.includes(check) !== true)
      .map((check) => `the setting "${check}" was not tried: name it in calls.scm.settings`),
    ...(scm?.posture && given?.posture !== true ? ['scm.posture was not tried: set calls.scm.posture'] : []),
    ...(webhook && deliveries.length === 0 ? ['webhook.on was not tried: record deliveries in calls.deliveries'] : []),
  ];
}

const isOffered = (tickets: Tickets | undefined, name: TicketWriteName): boolean =>
  (name === 'createTicket' ? tickets?.createTicket : tickets?.tracking?.[name]) !== undefined;
