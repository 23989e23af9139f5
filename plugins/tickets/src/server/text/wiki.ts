import { fromMarkdown } from 'mdast-util-from-markdown';
import { type Block, type Inline, plainText, webAddress } from './nodes.ts';

/**
 * Markdown as Jira's wiki text, the text of issues and comments of Jira Data Center. What is no mark-up in Markdown is none in it.
 * Source: Jira, "Text formatting notation help".
 */
export function wikiOf(markdown: string): string {
  return blocks(fromMarkdown(markdown).children, '').join('\n\n');
}

/** Every sign that could begin a mark, a link, a mention, an image, a macro or an emoticon. */
const SIGNS = /[\\{}[\]*_\-+^~!|#?@:;(]/g;

const escaped = (text: string): string => text.replaceAll(SIGNS, '\\$&').replaceAll(/\s+/g, ' ');

/** Shown as it is; its own end mark cannot stand in it. */
const verbatim = (text: string): string => `{noformat}\n${text.replaceAll(/\{(?=noformat)/gi, '{ ')}\n{noformat}`;

function blocks(nodes: readonly Block[], bullet: string): string[] {
  return nodes.map((node) => block(node, bullet)).filter((text) => text !== '');
}

function block(node: Block, bullet: string): string {
  switch (node.type) {
    case 'paragraph':
      return inlines(node.children);
    case 'heading':
      return `h${node.depth}. ${inlines(node.children)}`;
    case 'code':
      return verbatim(node.value);
    case 'list': {
      const deeper = `${bullet}${node.ordered === true ? '#' : '*'}`;
      return node.children.map((item) => itemOf(item.children, deeper)).join('\n');
    }
    case 'thematicBreak':
      return '----';
    case 'blockquote':
      return `bq. ${escaped(plainText(node))}`;
    default:
      return escaped(plainText(node));
  }
}

/** An item is a line; lists in it follow on lines of their own. */
function itemOf(nodes: readonly Block[], bullet: string): string {
  const lists = nodes.filter(({ type }) => type === 'list');
  const line = blocks(
    nodes.filter(({ type }) => type !== 'list'),
    bullet,
  ).join(' ');
  return [`${bullet} ${line}`, ...blocks(lists, bullet)].join('\n');
}

function inlines(nodes: readonly Inline[]): string {
  return nodes.map(inline).join('');
}

function inline(node: Inline): string {
  switch (node.type) {
    case 'text':
      return escaped(node.value);
    case 'strong':
      return `*${inlines(node.children)}*`;
    case 'emphasis':
      return `_${inlines(node.children)}_`;
    case 'inlineCode':
      return `{{${escaped(node.value)}}}`;
    case 'break':
      return '\n';
    case 'link': {
      const address = webAddress(node.url);
      return address === null ? inlines(node.children) : `[${inlines(node.children)}|${linked(address)}]`;
    }
    default:
      return escaped(plainText(node));
  }
}

/** Signs that would end a link. */
const linked = (address: string): string =>
  address.replaceAll(/[|[\]{}]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
