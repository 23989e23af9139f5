import { createHash } from 'node:crypto';
import {
  answerJson,
  ConnectorError,
  type Json,
  type NewTicket,
  readAnswer,
  type TicketDraft,
  type TicketReceipt,
} from '@breakwater/sdk';
import { Created, Found } from './answers.ts';
import type { Flavour, JiraCtx } from './flavour.ts';
import { askFor, isNamed, readIssue, readServer, ticketOf } from './requests.ts';
import { openScreen, type Screen } from './screen.ts';

const DIGEST_LENGTH = 20;

/** The label by which the issue of a key is known again. */
export const keyLabel = (key: string): string =>
  `breakwater-${createHash('sha256').update(key).digest('hex').slice(0, DIGEST_LENGTH)}`;

/** The issue that the key made, by the same account: anybody may write a label. Of two, the first one. */
async function findIssue({ http }: JiraCtx, flavour: Flavour, key: string) {
  const jql = `labels = "${keyLabel(key)}" AND creator = currentUser() ORDER BY created ASC`;
  const query = { jql, fields: 'status', maxResults: 1 };
  return readAnswer(Found, await http.json({ path: flavour.search, query })).issues[0];
}

const field = (draft: TicketDraft, name: string): string => draft[name] ?? '';

/** What stands on the screen and is allowed there; a priority that the project does not have is left out. */
function fieldsOf(draft: TicketDraft, { typeId, fields }: Screen, flavour: Flavour, key: string): Json {
  const priority = fields
    .find(({ fieldId }) => fieldId === 'priority')
    ?.allowedValues?.find(({ name }) => isNamed(name, field(draft, 'priority')))?.name;
  const hasDescription = fields.some(({ fieldId }) => fieldId === 'description');
  const labels = field(draft, 'labels')
    .split(',')
    .map((label) => label.trim())
    .filter((label) => label !== '');
  return {
    project: { key: field(draft, 'project') },
    issuetype: { id: typeId },
    summary: field(draft, 'summary'),
    labels: [...labels, keyLabel(key)],
    ...(hasDescription ? { description: flavour.textOf(field(draft, 'description')) } : {}),
    ...(priority === undefined ? {} : { priority: { name: priority } }),
  };
}

async function createIssue(ctx: JiraCtx, flavour: Flavour, { draft, idempotencyKey }: NewTicket): Promise<string> {
  const at = { project: field(draft, 'project'), type: field(draft, 'type') };
  const screen = await openScreen(ctx, flavour, at);
  const body = { fields: fieldsOf(draft, screen, flavour, idempotencyKey) };
  const answer = await askFor(
    ctx,
    { method: 'POST', path: `${flavour.api}/issue`, body },
    {
      doing: `Jira does not create an issue in ${at.project}:`,
      help: 'Change what the project requires, or choose another project or type in the settings of the connection.',
      names: new Map(screen.fields.map(({ fieldId, name }) => [fieldId, name])),
    },
  );
  return readAnswer(Created, answerJson(answer)).id;
}

/** Makes the issue of a key, unless it is there already. Source: `POST /rest/api/{2,3}/issue`. */
export const createTicket =
  (flavour: Flavour) =>
  async (ctx: JiraCtx, ticket: NewTicket): Promise<TicketReceipt> => {
    const { baseUrl } = await readServer(ctx, flavour);
    const known = await findIssue(ctx, flavour, ticket.idempotencyKey);
    const issue = known ?? (await readIssue(ctx, flavour, await createIssue(ctx, flavour, ticket)));
    if (issue === null) {
      throw new ConnectorError('scope', 'Jira made an issue that this account may not see.', {
        help: 'Give it the permission "Browse projects" in the project.',
      });
    }
    return { isTaken: true, ticket: ticketOf(issue, baseUrl) };
  };
