import {
  answerJson,
  ConnectorError,
  type HttpAnswer,
  type HttpRequest,
  isConnectorError,
  readAnswer,
  type Static,
  type Ticket,
} from '@breakwater/sdk';
import { CreatedFields, CreatedTypes, Issue, ProjectPage, Projects, Refusal, ServerInfo } from './answers.ts';
import type { Flavour, JiraCtx } from './flavour.ts';

const PAGE = 50;
/** Upper bound of a list, so that a service that pages for ever ends. */
const MAX_PAGES = 40;
const MAX_WORDS = 500;

/** Path of an issue by its id, below the root of the API. @throws ConnectorError config, where it is no id of Jira */
export function issuePath({ api }: Flavour, id: string): string {
  if (!/^[0-9]{1,20}$/.test(id)) throw new ConnectorError('config', 'Jira knows issues by a number.');
  return `${api}/issue/${id}`;
}

/** Why Jira refuses a request, in its own words: general ones first, then those of each field. */
export function refusalWords(answer: HttpAnswer, names: ReadonlyMap<string, string> = new Map()): string {
  const words: string[] = [];
  try {
    const { errorMessages = [], errors = {} } = readAnswer(Refusal, answerJson(answer));
    words.push(...errorMessages);
    for (const [field, said] of Object.entries(errors)) {
      const name = names.get(field) ?? field;
      words.push(said.toLowerCase().includes(name.toLowerCase()) ? said : `${name}: ${said}`);
    }
  } catch (error) {
    if (!isConnectorError(error)) throw error;
  }
  const text = words.filter((word) => word.trim() !== '').join(' ');
  return text === '' ? `It gives no reason (status ${answer.status}).` : text.slice(0, MAX_WORDS);
}

/** Sends what Jira may refuse with 400, and says so in its words. @throws ConnectorError config */
export async function askFor(
  { http }: JiraCtx,
  request: HttpRequest,
  what: { readonly doing: string; readonly help: string; readonly names?: ReadonlyMap<string, string> },
): Promise<HttpAnswer> {
  const answer = await http.request({ ...request, accept: [400, 409] });
  if (answer.status < 400) return answer;
  throw new ConnectorError('config', `${what.doing} ${refusalWords(answer, what.names)}`, { help: what.help });
}

/** The site as it calls itself. @throws ConnectorError config, where there is no Jira of this edition */
export async function readServer({ http }: JiraCtx, flavour: Flavour): Promise<Static<typeof ServerInfo>> {
  const answer = await http.request({ path: `${flavour.api}/serverInfo`, accept: [404] });
  if (answer.status === 404) {
    throw new ConnectorError('config', 'There is no Jira at this address.', {
      help: 'Check the address; a server may need its context path, such as /jira.',
    });
  }
  const info = readAnswer(ServerInfo, answerJson(answer));
  const { deploymentType = 'Server' } = info;
  if (deploymentType !== flavour.deployment) {
    throw new ConnectorError(
      'config',
      flavour.deployment === 'Cloud' ? 'This is no Jira Cloud.' : 'This is no Jira Data Center.',
      {
        help: `Use the card ${deploymentType === 'Cloud' ? 'Jira Cloud' : 'Jira Data Center'}.`,
      },
    );
  }
  return info;
}

/** An issue as the host knows tickets. */
export function ticketOf({ id, key, fields }: Static<typeof Issue>, baseUrl: string): Ticket {
  const { name, statusCategory } = fields.status;
  const url = `${baseUrl.endsWith('/') ? baseUrl.slice(0, -1) : baseUrl}/browse/${encodeURIComponent(key)}`;
  return { id, key, url, status: name, isDone: statusCategory.key === 'done' };
}

/** An issue by its id; null where there is none, or the account may not see it. */
export async function readIssue({ http }: JiraCtx, flavour: Flavour, id: string) {
  const answer = await http.request({ path: issuePath(flavour, id), query: { fields: 'status' }, accept: [404] });
  return answer.status === 404 ? null : readAnswer(Issue, answerJson(answer));
}

/** Every project that the account sees. Cloud pages by `startAt`. */
export async function* listProjects({ http }: JiraCtx, flavour: Flavour) {
  const path = flavour.projects;
  if (flavour.deployment !== 'Cloud') {
    yield* readAnswer(Projects, await http.json({ path }));
    return;
  }
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const query = { startAt: page * PAGE, maxResults: PAGE };
    const { values, isLast } = readAnswer(ProjectPage, await http.json({ path, query }));
    yield* values;
    if (isLast !== false || values.length === 0) return;
  }
}

/** Types of issues that the account may create in a project, without sub-tasks; null where it sees no such project. */
export async function readTypes({ http }: JiraCtx, { api }: Flavour, project: string) {
  const path = `${api}/issue/createmeta/${encodeURIComponent(project)}/issuetypes`;
  const answer = await http.request({ path, query: { maxResults: 200 }, accept: [400, 404] });
  if (answer.status >= 400) return null;
  const found = readAnswer(CreatedTypes, answerJson(answer));
  return ('issueTypes' in found ? found.issueTypes : found.values).filter(({ subtask }) => subtask !== true);
}

/** Fields of the screen on which issues of a type are created. */
export async function readFields({ http }: JiraCtx, { api }: Flavour, at: { project: string; type: string }) {
  const path = `${api}/issue/createmeta/${encodeURIComponent(at.project)}/issuetypes/${encodeURIComponent(at.type)}`;
  const found = readAnswer(CreatedFields, await http.json({ path, query: { maxResults: 200 } }));
  return 'fields' in found ? found.fields : found.values;
}

/** The same name, whatever its capitals. */
export const isNamed = (name: string | undefined, wanted: string): boolean =>
  name?.trim().toLowerCase() === wanted.trim().toLowerCase();
