import {
  ConnectorError,
  type ConnectorErrorCode,
  type Ctx,
  type Identity,
  type Json,
  type Notify,
} from '@breakwater/sdk';
import type { ChannelForm } from '../plugin.ts';
import { slackMessage } from './slack-message.ts';

/** Slack says in one word what is wrong. Source: docs.slack.dev, "Sending messages using incoming webhooks", handling errors. */
const REFUSALS: Readonly<Record<string, readonly [ConnectorErrorCode, string]>> = {
  no_service: ['auth', 'Slack knows this webhook no more: it was deleted, or its app was removed.'],
  no_service_id: ['auth', 'Slack knows no webhook of this URL.'],
  no_active_hooks: ['auth', 'The webhook is switched off in Slack.'],
  no_team: ['auth', 'Slack knows no workspace of this URL.'],
  team_disabled: ['auth', 'The Slack workspace is disabled.'],
  invalid_token: ['auth', 'Slack does not accept this webhook URL.'],
  channel_is_archived: ['scope', 'The channel of the webhook is archived.'],
  channel_not_found: ['scope', 'The channel of the webhook does not exist any more.'],
  user_not_found: ['scope', 'The person whom the webhook writes to does not exist any more.'],
  action_prohibited: ['scope', 'An admin of the Slack workspace does not allow this.'],
  posting_to_general_channel_denied: ['scope', 'The Slack workspace lets no app post in this channel.'],
};
/** What Slack says of the message itself. */
const UNACCEPTED = new Set(['invalid_payload', 'invalid_blocks', 'no_text', 'too_many_attachments', 'msg_too_long']);
const HELP = {
  auth: 'Make a new incoming webhook in Slack and enter its URL.',
  scope: 'Choose another channel for the webhook in Slack, or allow it there.',
} as const;

/** Statuses with a word in their body; the others mean the same everywhere. */
const SAID = [400, 403, 404, 410];
const MAX_WORD = 100;

interface Said {
  readonly status: number;
  readonly word: string;
  /** Seconds of Retry-After; null where there is none. */
  readonly waitSeconds: number | null;
}

const post = async ({ http }: Ctx<ChannelForm>, body: Json): Promise<Said> => {
  const answer = await http.request({ method: 'POST', path: '', body, accept: SAID });
  const wait = Number(answer.headers['retry-after'] ?? Number.NaN);
  return {
    status: answer.status,
    word: new TextDecoder().decode(answer.body.subarray(0, MAX_WORD)).trim(),
    waitSeconds: Number.isFinite(wait) ? Math.max(0, wait) : null,
  };
};

const refusal = ({ status, word, waitSeconds }: Said): ConnectorError => {
  if (waitSeconds !== null) {
    return new ConnectorError('rate_limited', 'Slack was asked too often.', { retryAfterMs: waitSeconds * 1000 });
  }
  const known = Object.hasOwn(REFUSALS, word) ? REFUSALS[word] : undefined;
  if (known !== undefined) {
    const [code, message] = known;
    return new ConnectorError(code, message, { help: code === 'auth' ? HELP.auth : HELP.scope });
  }
  if (status === 403) return new ConnectorError('scope', 'Slack does not let this webhook post.', { help: HELP.scope });
  if (status === 404) return new ConnectorError('auth', 'Slack knows no webhook of this URL.', { help: HELP.auth });
  if (status === 410) return new ConnectorError('scope', 'The channel is gone.', { help: HELP.scope });
  if (UNACCEPTED.has(word)) return new ConnectorError('config', `Slack did not accept the message (${word}).`);
  return new ConnectorError('upstream', 'Slack answered with something that is no answer of a webhook.');
};

/** Posts a message without a text, which Slack refuses with `no_text` where the webhook works: nothing appears in the channel. */
export const checkSlack = async (ctx: Ctx<ChannelForm>): Promise<Identity> => {
  const said = await post(ctx, { text: '' });
  if (said.status !== 400 || (said.word !== 'no_text' && said.word !== 'invalid_payload')) throw refusal(said);
  return { identity: ctx.config.channel ?? 'A Slack channel' };
};

/** Slack answers `ok` and has no key by which it would know a message again. */
export const slackNotify: Notify<ChannelForm> = {
  send: async (ctx, message) => {
    const said = await post(ctx, slackMessage(message));
    if (said.status !== 200 || said.word !== 'ok') throw refusal(said);
  },
};
