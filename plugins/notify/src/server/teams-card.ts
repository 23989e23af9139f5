import type { ChannelMessage, Json } from '@breakwater/sdk';

const SEVERITIES = {
  critical: { name: 'Critical', color: 'attention' },
  high: { name: 'High', color: 'attention' },
  medium: { name: 'Medium', color: 'warning' },
  low: { name: 'Low', color: 'default' },
  informational: { name: 'Informational', color: 'default' },
} as const;

/** `{{DATE(…)}}` and `{{TIME(…)}}` are functions of cards, in every text. Source: adaptivecards.io "Text features". */
const withoutFunctions = (text: string): string => text.replaceAll('{{', '{\u200B{');

/** A run of text: other than of a TextBlock, Markdown in it is not understood. Source: adaptivecards.io, TextRun. */
const run = (text: string, style: Readonly<Record<string, Json>> = {}): Json => ({
  type: 'RichTextBlock',
  inlines: [{ type: 'TextRun', text: withoutFunctions(text), ...style }],
});

/** A message for a workflow, with one Adaptive Card. A mention would need an entry in `msteams.entities`, and none is made. */
export const teamsMessage = ({ title, text, kind, severity, link }: ChannelMessage): Json => {
  const shown = severity === null ? undefined : SEVERITIES[severity];
  const style = { size: 'small', ...(shown === undefined ? { isSubtle: true } : { color: shown.color }) } as const;
  return {
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        contentUrl: null,
        content: {
          $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
          type: 'AdaptiveCard',
          version: '1.4',
          msteams: { width: 'Full' },
          body: [
            run(shown === undefined ? kind : `${kind} · ${shown.name}`, style),
            run(title, { size: 'medium', weight: 'bolder' }),
            ...(text.trim() === '' ? [] : [run(text)]),
          ],
          actions: link === null ? [] : [{ type: 'Action.OpenUrl', title: link.label, url: link.url }],
        },
      },
    ],
  };
};
