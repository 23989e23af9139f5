import {
  answerJson,
  ConnectorError,
  type Ctx,
  type HttpAnswer,
  type Identity,
  isConnectorError,
  type Json,
  type Notify,
  readAnswer,
  Type,
} from '@breakwater/sdk';
import type { TeamsForm } from '../plugin.ts';
import { teamsMessage } from './teams-card.ts';

/** What Azure Logic Apps answers a refused call with. Source: learn.microsoft.com, Logic Apps "Request trigger". */
const Refusal = Type.Object({ error: Type.Object({ code: Type.String() }) });

const NEW_ADDRESS = 'Make the workflow again in Teams and enter its URL.';

const codeOf = (answer: HttpAnswer): string | null => {
  try {
    return readAnswer(Refusal, answerJson(answer)).error.code;
  } catch (error) {
    if (!isConnectorError(error)) throw error;
    return null;
  }
};

const refusal = (answer: HttpAnswer): ConnectorError => {
  const code = codeOf(answer);
  if (code === 'WorkflowTriggerIsNotEnabled' || code === 'WorkflowDisabled') {
    return new ConnectorError('scope', 'The workflow is switched off.', { help: 'Switch it on in Teams: Workflows.' });
  }
  if (answer.status === 400) {
    return new ConnectorError('config', 'The workflow did not accept the message.', {
      help: 'It must begin with “When a Teams webhook request is received”.',
    });
  }
  return new ConnectorError('auth', 'There is no workflow at this URL any more.', { help: NEW_ADDRESS });
};

const post = async ({ http }: Ctx<TeamsForm>, body: Json): Promise<void> => {
  const answer = await http.request({ method: 'POST', path: '', body, accept: [400, 404, 410] });
  if (answer.status >= 300) throw refusal(answer);
};

/** Starts the workflow with no card: it goes through an empty list and posts nothing. */
export const checkTeams = async (ctx: Ctx<TeamsForm>): Promise<Identity> => {
  await post(ctx, { type: 'message', attachments: [] });
  return { identity: ctx.config.channel ?? 'A Teams channel' };
};

/** Teams answers 202 and has no key by which it would know a message again. */
export const teamsNotify: Notify<TeamsForm> = { send: (ctx, message) => post(ctx, teamsMessage(message)) };
