import type { ChannelMessage, Json } from '@breakwater/sdk';

/** Limits of Block Kit, in characters. Source: docs.slack.dev/reference/block-kit, 23 November 2026. */
const MAX_HEADER = 150;
const MAX_SECTION = 3000;

const SEVERITY_NAMES = {
  critical: 'Critical',
  high: 'High',
  medium: 'Medium',
  low: 'Low',
  informational: 'Informational',
} as const;

/** The three signs that mean something in mrkdwn. Source: docs.slack.dev/messaging/formatting-message-text "Escaping text". */
export const escapeMrkdwn = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** Cut at a whole character. */
const cut = (text: string, length: number): string => {
  const characters = [...text];
  return characters.length <= length ? text : `${characters.slice(0, length - 1).join('')}…`;
};

/** Text that Slack shows as it is: no mention, link, formatting or emoji in it is understood. */
const plain = (text: string, length: number): Json => ({ type: 'plain_text', text: cut(text, length), emoji: false });

/** A link of ours; neither of the two signs that would end it stays in its address. */
const linkOf = ({ url, label }: { url: string; label: string }): string =>
  `<${escapeMrkdwn(url.replaceAll('|', '%7C').replaceAll('>', '%3E').replaceAll('<', '%3C'))}|${escapeMrkdwn(label.replaceAll('|', ' '))}>`;

/**
 * A message in Block Kit. All that did not come from us is `plain_text`; `text`, what notifications show, is escaped and not formatted.
 * Pages behind links are not fetched by Slack.
 */
export const slackMessage = ({ title, text, kind, severity, link }: ChannelMessage): Json => {
  const facts = severity === null ? kind : `${kind} · ${SEVERITY_NAMES[severity]}`;
  return {
    text: cut(escapeMrkdwn(title), MAX_SECTION),
    mrkdwn: false,
    unfurl_links: false,
    unfurl_media: false,
    blocks: [
      { type: 'header', text: plain(title, MAX_HEADER) },
      ...(text.trim() === '' ? [] : [{ type: 'section', text: plain(text, MAX_SECTION) }]),
      ...(link === null ? [] : [{ type: 'section', text: { type: 'mrkdwn', text: linkOf(link), verbatim: true } }]),
      { type: 'context', elements: [plain(facts, MAX_HEADER)] },
    ],
  };
};
