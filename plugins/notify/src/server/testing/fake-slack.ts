import type { TestAnswer, TestAnswers, TestRequest } from '@breakwater/sdk/testing';

/** An incoming webhook for tests; the URL as it is entered in the form. */
export const SLACK_WEBHOOK = 'https://hooks.slack.com/services/T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX';

/** A message that arrived in the channel. */
export interface SlackMessage {
  readonly text: string;
  readonly blocks: readonly {
    readonly type: string;
    readonly text?: { readonly type: string; readonly text: string };
  }[];
}

export interface FakeSlack {
  readonly messages: SlackMessage[];
  /** Answers in place of the usual ones to the next messages, in order; checks are answered as ever. */
  readonly next: TestAnswer[];
  /** Answers in place of the usual one to everything, until it is taken away. */
  trouble: TestAnswer | undefined;
  answer: TestAnswers;
}

const said = (status: number, body: string): TestAnswer => ({ status, body, headers: { 'content-type': 'text/html' } });

/** What Slack refuses with, by its words. Source: docs.slack.dev, incoming webhooks, handling errors. */
export const SLACK_ANSWERS = {
  invalidPayload: said(400, 'invalid_payload'),
  forbidden: said(403, 'action_prohibited'),
  noService: said(404, 'no_service'),
  archived: said(410, 'channel_is_archived'),
  tooMany: { ...said(429, 'rate_limited'), headers: { 'retry-after': '37' } },
  broken: said(500, 'rollup_error'),
} as const satisfies Record<string, TestAnswer>;

const isMessage = (value: unknown): value is SlackMessage =>
  typeof value === 'object' && value !== null && 'blocks' in value && Array.isArray(value.blocks);

/** Slack with one incoming webhook. */
export function createFakeSlack(): FakeSlack {
  const path = new URL(SLACK_WEBHOOK).pathname;
  const slack: FakeSlack = {
    messages: [],
    next: [],
    trouble: undefined,
    answer: (request: TestRequest) => {
      if (slack.trouble !== undefined) return slack.trouble;
      if (request.path !== path) return said(404, 'no_service');
      if (request.method !== 'POST') return said(405, 'method_not_allowed');
      const body: unknown = JSON.parse(request.body);
      if (!isMessage(body)) return said(400, 'no_text');
      const planned = slack.next.shift();
      if (planned !== undefined) return planned;
      slack.messages.push(body);
      return said(200, 'ok');
    },
  };
  return slack;
}
