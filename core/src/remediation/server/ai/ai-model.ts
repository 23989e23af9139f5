import { type CompletionPart, MODEL_FIELDS, type TokenUsage } from '@breakwater/sdk';
import type { Connections } from '../../../connectors/server/index.ts';
import type { Db } from '../../../platform/server/database.ts';

/** What a model is asked for. */
export type AiPurpose = 'remediation' | 'validation';

/** The model that answers, and what its tokens cost. */
export interface AiModel {
  connectorId: string;
  /** Name of the deployment or model. */
  name: string;
  /** US dollars for 1,000,000 tokens; null where they are not entered. */
  prices: { input: number; output: number } | null;
}

const REMEDIATOR = { connectorId: 'ai_remediator', prefix: '' } as const;
const VALIDATION = { connectorId: 'ai_validation', prefix: 'openai_' } as const;

/** Where a purpose looks for its model, in this order; then at what the organisation added. */
const SOURCES = { remediation: [REMEDIATOR], validation: [VALIDATION, REMEDIATOR] } as const;

/** Where a model is configured: the fields of its form begin with the prefix. */
interface ModelSource {
  readonly connectorId: string;
  readonly prefix: string;
  /** What the model is called where the form names none; left out where it must. */
  readonly title?: string;
}

const sourcesOf = async (
  db: Db,
  connections: Connections,
  { clientId, purpose }: { clientId: string; purpose: AiPurpose },
): Promise<ModelSource[]> => {
  const added = (await connections.entries(db, clientId)).filter((entry) => entry.clientId === clientId);
  return [
    ...SOURCES[purpose],
    ...added.map(({ connector: { id, title } }) => ({ connectorId: id, prefix: '', title })),
  ];
};

/** The model of an organisation; undefined where none is configured. In a transaction of it. */
export const readModel = async (
  db: Db,
  { connections }: { connections: Connections },
  { clientId, purpose }: { clientId: string; purpose: AiPurpose },
): Promise<AiModel | undefined> => {
  for (const { connectorId, prefix, title } of await sourcesOf(db, connections, { clientId, purpose })) {
    if ((await connections.capability({ clientId, connectorId }, 'remediator', db)) === null) continue;
    const { isConfigured, config } = await connections.stored(db, clientId, connectorId);
    const named = MODEL_FIELDS.names.map((field) => config[`${prefix}${field}`]);
    const name = [...named, title].find((one) => typeof one === 'string');
    const input = config[`${prefix}${MODEL_FIELDS.prices.input}`];
    const output = config[`${prefix}${MODEL_FIELDS.prices.output}`];
    if (!isConfigured || name === undefined) continue;
    const prices = typeof input === 'number' && typeof output === 'number' ? { input, output } : null;
    return { connectorId, name, prices };
  }
  return undefined;
};

/** Tokens of an answer with what they cost. */
export interface AiCost extends TokenUsage {
  /** Millionths of a US dollar; null where nobody entered prices. */
  costMicros: number | null;
}

const MAX_INTEGER = 2_147_483_647;

/** A price of so many dollars for a million tokens is as many millionths for each. */
export const costOf = ({ prices }: Pick<AiModel, 'prices'>, usage: TokenUsage): AiCost => ({
  ...usage,
  costMicros:
    prices === null
      ? null
      : Math.min(MAX_INTEGER, Math.round(usage.inputTokens * prices.input + usage.outputTokens * prices.output)),
});

/** Characters of one token of source code, on the careful side. Source: OpenAI help, "What are tokens": about four of English text. */
const CHARACTERS_PER_TOKEN = 3;

/** How many tokens a text has at most, roughly: providers count, but only afterwards. */
export const estimateTokens = (text: string): number => Math.ceil(text.length / CHARACTERS_PER_TOKEN);

/** What a model answered. */
export interface AiAnswer {
  text: string;
  /** Why it ended; `done` also where the provider does not say. */
  end: 'done' | 'length' | 'filter';
  usage: TokenUsage;
}

/** An answer from its parts. Tokens are estimated where the provider does not count. */
export const collectAnswer = async (
  parts: AsyncIterable<CompletionPart>,
  asked: string,
  { maxLength, onText }: { maxLength: number; onText: (length: number) => void },
): Promise<AiAnswer> => {
  let text = '';
  let end: AiAnswer['end'] = 'done';
  let usage: TokenUsage | undefined;
  for await (const part of parts) {
    if ('text' in part) {
      text += part.text;
      onText(text.length);
    } else if ('end' in part) end = part.end;
    else usage = part.usage;
    if (text.length > maxLength) {
      end = 'length';
      break;
    }
  }
  return { text, end, usage: usage ?? { inputTokens: estimateTokens(asked), outputTokens: estimateTokens(text) } };
};
