import type { fromMarkdown } from 'mdast-util-from-markdown';

type Root = ReturnType<typeof fromMarkdown>;

/** What a text is made of. */
export type Block = Root['children'][number];
/** What stands in a line. */
export type Inline = Extract<Block, { type: 'paragraph' }>['children'][number];

/** All text of a part, without its form. HTML is text. */
export function plainText(node: Block | Inline): string {
  if ('value' in node) return node.value;
  if ('children' in node) return node.children.map(plainText).join('');
  return 'alt' in node ? (node.alt ?? '') : '';
}

/** The address where it is one of the web. */
export function webAddress(address: string): string | null {
  const url = URL.parse(address);
  return url !== null && (url.protocol === 'https:' || url.protocol === 'http:') ? url.href : null;
}
