import { answerJson, ConnectorError, readAnswer, type TicketLink, type TicketTransition } from '@breakwater/sdk';
import { Comments, Made, Transitions } from './answers.ts';
import { keyLabel } from './create.ts';
import type { Flavour, JiraCtx } from './flavour.ts';
import { askFor, issuePath, listProjects, readIssue, readServer, readTypes, ticketOf } from './requests.ts';
import { chooseTransition, fieldsOfTransition } from './transitions.ts';

const MAX_TITLE = 255;
const NO_CONTENT = 204;

async function link(ctx: JiraCtx, flavour: Flavour, { ticket, url, title, idempotencyKey }: TicketLink): Promise<void> {
  const body = {
    // the same one again replaces the link
    globalId: `system=breakwater&id=${keyLabel(idempotencyKey)}`,
    application: { type: 'breakwater', name: 'Breakwater' },
    relationship: 'fixes',
    object: { url, title: title.slice(0, MAX_TITLE) },
  };
  const answer = await askFor(
    ctx,
    { method: 'POST', path: `${issuePath(flavour, ticket)}/remotelink`, body },
    { doing: 'Jira does not take the link:', help: 'Is linking switched on in the project?' },
  );
  readAnswer(Made, answerJson(answer));
}

/** One comment a key: it ends with a reference by which it is known again. */
async function comment(ctx: JiraCtx, flavour: Flavour, at: { id: string; text: string; key: string }): Promise<void> {
  const path = `${issuePath(flavour, at.id)}/comment`;
  const reference = keyLabel(at.key);
  const query = { orderBy: '-created', maxResults: 100 };
  const { comments } = readAnswer(Comments, await ctx.http.json({ path, query }));
  // wiki text has a backslash before each dash
  if (JSON.stringify(comments).replaceAll('\\', '').includes(reference)) return;
  const body = {
    body: flavour.textOf(`${at.text.replaceAll(/[\\`*_[\]<>#|~!&]/g, '\\$&')}\n\nReference: ${reference}`),
  };
  const answer = await askFor(
    ctx,
    { method: 'POST', path, body },
    { doing: 'Jira does not take the comment:', help: 'Give the account the permission "Add comments".' },
  );
  readAnswer(Made, answerJson(answer));
}

async function finish(ctx: JiraCtx, flavour: Flavour, id: string): Promise<void> {
  const path = `${issuePath(flavour, id)}/transitions`;
  const query = { expand: 'transitions.fields' };
  const { transitions } = readAnswer(Transitions, await ctx.http.json({ path, query }));
  const chosen = chooseTransition(transitions, ctx.config.done_transition);
  const fields = fieldsOfTransition(chosen);
  const { status } = await askFor(
    ctx,
    { method: 'POST', path, body: { transition: { id: chosen.id }, ...(fields === null ? {} : { fields }) } },
    {
      doing: `Jira does not close the issue by "${chosen.name}":`,
      help: 'Fill the field in Jira, or choose another transition in the settings of the connection.',
      names: new Map(Object.entries(chosen.fields ?? {}).map(([field, { name }]) => [field, name])),
    },
  );
  // anything else is not Jira's answer: a sign-in page in front of it says 200
  if (status !== NO_CONTENT) throw new ConnectorError('upstream', 'Jira did not say that it closed the issue.');
}

/** How tickets are found, linked, closed and read. Source: Jira Cloud REST API v3, Jira Data Center REST API v2. */
export const trackingOf = (flavour: Flavour) => {
  const now = async (ctx: JiraCtx, id: string) => {
    const issue = await readIssue(ctx, flavour, id);
    return issue === null ? null : ticketOf(issue, (await readServer(ctx, flavour)).baseUrl);
  };
  const gone = () => new ConnectorError('config', 'The issue is not there any more, or the account may not see it.');
  return {
    projects: (ctx: JiraCtx) => listProjects(ctx, flavour),
    types: async (ctx: JiraCtx, project: string) =>
      (await readTypes(ctx, flavour, project))?.map(({ name }) => name) ?? null,
    link: (ctx: JiraCtx, request: TicketLink) => link(ctx, flavour, request),
    ticket: now,
    transition: async (ctx: JiraCtx, { ticket: id, comment: text, idempotencyKey: key }: TicketTransition) => {
      const before = await now(ctx, id);
      if (before === null) throw gone();
      // first, since closed issues may take no comments
      await comment(ctx, flavour, { id, text, key });
      if (before.isDone) return before;
      await finish(ctx, flavour, id);
      const after = await now(ctx, id);
      if (after === null) throw gone();
      return after;
    },
  };
};
