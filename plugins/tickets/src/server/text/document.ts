import type { Json } from '@breakwater/sdk';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { type Block, type Inline, plainText, webAddress } from './nodes.ts';

/**
 * Markdown as an Atlassian document (ADF, version 1), the text of issues and comments of Jira Cloud.
 * Source: Atlassian Document Format, JSON schema.
 */
export function documentOf(markdown: string): Json {
  return { type: 'doc', version: 1, content: blocks(fromMarkdown(markdown).children) };
}

type Mark = { readonly type: string; readonly attrs?: { readonly href: string } };

const paragraph = (content: readonly Json[]): Json => ({ type: 'paragraph', content });

function blocks(nodes: readonly Block[]): Json[] {
  return nodes.flatMap((node) => block(node));
}

function block(node: Block): Json[] {
  switch (node.type) {
    case 'paragraph':
      return [paragraph(inlines(node.children, []))];
    case 'heading':
      return [{ type: 'heading', attrs: { level: node.depth }, content: inlines(node.children, []) }];
    case 'code':
      return [codeBlock(node.value)];
    case 'list': {
      const type = node.ordered === true ? 'orderedList' : 'bulletList';
      return [{ type, content: node.children.map((item) => ({ type: 'listItem', content: itemOf(item.children) })) }];
    }
    case 'blockquote':
      return [{ type: 'blockquote', content: [paragraph(text(plainText(node), []))] }];
    case 'thematicBreak':
      return [{ type: 'rule' }];
    default: {
      const plain = plainText(node);
      return plain === '' ? [] : [paragraph(text(plain, []))];
    }
  }
}

/** An item holds paragraphs, lists and code, and begins with no heading. */
function itemOf(nodes: readonly Block[]): Json[] {
  const content = nodes.flatMap((node) =>
    ['paragraph', 'list', 'code'].includes(node.type) ? block(node) : [paragraph(text(plainText(node), []))],
  );
  return content.length === 0 ? [paragraph([])] : content;
}

function codeBlock(value: string): Json {
  return { type: 'codeBlock', content: text(value, []) };
}

function text(value: string, marks: readonly Mark[]): Json[] {
  if (value === '') return [];
  return [{ type: 'text', text: value, ...(marks.length === 0 ? {} : { marks: [...marks] }) }];
}

function inlines(nodes: readonly Inline[], marks: readonly Mark[]): Json[] {
  return nodes.flatMap((node): Json[] => {
    switch (node.type) {
      case 'text':
        return text(node.value, marks);
      case 'strong':
        return inlines(node.children, [...marks, { type: 'strong' }]);
      case 'emphasis':
        return inlines(node.children, [...marks, { type: 'em' }]);
      case 'inlineCode':
        // code goes with a link and with no other mark
        return text(node.value, [...marks.filter(({ type }) => type === 'link'), { type: 'code' }]);
      case 'break':
        return [{ type: 'hardBreak' }];
      case 'link': {
        const href = webAddress(node.url);
        return inlines(node.children, href === null ? marks : [...marks, { type: 'link', attrs: { href } }]);
      }
      default:
        return text(plainText(node), marks);
    }
  });
}
