import { type ChannelMessage, escapeText, type Json, linkText, shortened } from '@breakwater/sdk';

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

/** Text that Slack shows as it is: no mention, link, formatting or emoji in it is understood. */
const plain = (text: string, length: number): Json => ({
  type: 'plain_text',
  text: shortened(text, length),
  emoji: false,
});

/**
 * A message in Block Kit. All that did not come from us is `plain_text`; `text`, what notifications show, is escaped and not formatted.
 * Pages behind links are not fetched by Slack.
 */
export const slackMessage = ({ title, text, kind, severity, link }: ChannelMessage): Json => {
  const facts = severity === null ? kind : `${kind} · ${SEVERITY_NAMES[severity]}`;
  return {
    text: escapeText('slack', shortened(title, MAX_SECTION)),
    mrkdwn: false,
    unfurl_links: false,
    unfurl_media: false,
    blocks: [
      { type: 'header', text: plain(title, MAX_HEADER) },
      ...(text.trim() === '' ? [] : [{ type: 'section', text: plain(text, MAX_SECTION) }]),
      ...(link === null
        ? []
        : [{ type: 'section', text: { type: 'mrkdwn', text: linkText('slack', link), verbatim: true } }]),
      { type: 'context', elements: [plain(facts, MAX_HEADER)] },
    ],
  };
};
