/**
 * Text of any origin, such as the title of a finding, as a service is sent it: shown as it is, with nothing in it that the service would take
 * for markup, a link or a mention.
 */

/**
 * How a service reads a text. `plain`: it shows what it gets. `markdown`: CommonMark and what GitHub, GitLab and chats add to it. `slack`: mrkdwn.
 * `html`: the content of an element or of an attribute in quotes.
 */
export const TEXT_FORMATS = ['plain', 'markdown', 'slack', 'html'] as const;
export type TextFormat = (typeof TEXT_FORMATS)[number];

/** Control characters but line feeds and tabs, and what turns the direction of text (CVE-2021-42574). */
const UNSEEN = /(?![\n\t])\p{Cc}|[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu;

const visible = (text: string): string => text.toWellFormed().replaceAll(/\r\n?/g, '\n').replaceAll(UNSEEN, '');

/**
 * Services look for mentions and references after they read Markdown, so that a backslash does not keep them from it; a space of no width does.
 * Source: github/cmark-gfm, issues 181 and 389.
 */
const withoutMentions = (text: string): string =>
  text.replaceAll(/@(?=\S)/g, '@\u200B').replaceAll(/[#!%&$~](?=\d)/g, '$&\u200B');

/**
 * A line of Markdown: what begins a list, a heading or code at its start is escaped, too, and `/close`, which GitLab would do ("quick actions").
 * Source: CommonMark 0.31.2, "Backslash escapes".
 */
const markdownLine = (line: string): string =>
  withoutMentions(line.trim())
    .replaceAll(/[\\`*_{}[\]<>#|~&!^$]/g, '\\$&')
    .replaceAll('://', '\\://')
    .replaceAll(/\bwww\./gi, (www) => `${www.slice(0, -1)}\\.`)
    .replace(/^[-+=/]/, '\\$&')
    .replace(/^(\d+)([.)])/, '$1\\$2');

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const withEntities = (text: string, signs: RegExp): string => text.replaceAll(signs, (sign) => ENTITIES[sign] ?? sign);

const ESCAPES: Readonly<Record<TextFormat, (text: string) => string>> = {
  plain: (text) => text,
  markdown: (text) => text.split('\n').map(markdownLine).join('\n'),
  // it has no sign that would keep a bare address from being a link. Source: docs.slack.dev/messaging/formatting-message-text
  slack: (text) =>
    withEntities(text, /[&<>]/g)
      .replaceAll('://', ':\u200B//')
      .replaceAll(/@(?=\S)/g, '@\u200B'),
  html: (text) => withEntities(text, /[&<>"']/g),
};

/** The text as the service is sent it. Lines stay lines; of Markdown, spaces at their ends go. */
export const escapeText = (format: TextFormat, text: string): string => ESCAPES[format](visible(text));

/** Signs that would end an address where one is written in each format, besides those that addresses never hold. */
const ENDS: Readonly<Record<TextFormat, RegExp>> = {
  plain: /["<>\s]/g,
  markdown: /["'<>()[\]\\`|\s]/g,
  slack: /["<>|\s]/g,
  html: /["'<>\s]/g,
};

const percentEncoded = (sign: string): string => `%${sign.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;

/** An address of the web as it is written in each format, also as the target of a link; empty where it is none. */
export const addressText = (format: TextFormat, address: string): string => {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || (url.protocol !== 'https:' && url.protocol !== 'http:')) return '';
  const written = url.href.replaceAll(ENDS[format], percentEncoded);
  return format === 'slack' || format === 'html' ? written.replaceAll('&', '&amp;') : written;
};

const LINKS: Readonly<Record<TextFormat, (label: string, url: string) => string>> = {
  plain: (label, url) => `${label}: ${url}`,
  markdown: (label, url) => `[${label}](${url})`,
  slack: (label, url) => `<${url}|${label.replaceAll('|', ' ')}>`,
  html: (label, url) => `<a href="${url}">${label}</a>`,
};

/** A link as it is written in each format; empty where the address is none. */
export const linkText = (format: TextFormat, { label, url }: { label: string; url: string }): string => {
  const address = addressText(format, url);
  return address === '' ? '' : LINKS[format](escapeText(format, label.replaceAll(/\s+/g, ' ')), address);
};

/** At most so many characters, cut at a whole one. */
export const shortened = (text: string, most: number): string => {
  const characters = [...text];
  return characters.length <= most
    ? text
    : `${characters
        .slice(0, most - 1)
        .join('')
        .trimEnd()}…`;
};
