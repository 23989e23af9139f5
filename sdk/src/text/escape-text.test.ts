import fc from 'fast-check';
import { Window } from 'happy-dom';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { describe, expect, it } from 'vitest';
import { addressText, escapeText, linkText, shortened, TEXT_FORMATS } from './escape-text.ts';

/** Texts that are made of what has a meaning somewhere. */
const hostile = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        ...[
          '*',
          '_',
          '`',
          '~',
          '[',
          ']',
          '(',
          ')',
          '<',
          '>',
          '#',
          '-',
          '+',
          '=',
          '!',
          '|',
          '\\',
          '&',
          '@',
          ':',
          '/',
          '$',
          '^',
        ],
        ...[
          '1.',
          '2)',
          '```',
          '    ',
          '\t',
          '\n',
          '\r\n',
          '\n\n',
          '---',
          '===',
          'http://',
          'https://evil.example',
          'www.evil.example',
        ],
        ...[
          '@octo',
          '#12',
          '!7',
          '<!channel>',
          '<at>all</at>',
          '&amp;',
          '&#64;',
          '[a](b)',
          '![a](b)',
          '<b>',
          '{{DATE()}}',
          '\u202E',
          '\0',
        ],
        ...['word', ' ', 'é', '😀'],
      ),
      fc.string({ maxLength: 3 }),
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(''));

interface Node {
  type: string;
  value?: string;
  children?: Node[];
}
const typesIn = ({ type, children = [] }: Node): string[] => [type, ...children.flatMap(typesIn)];
const textIn = ({ value, children = [] }: Node): string => value ?? children.map(textIn).join('\n');
/** What people read, whatever the spaces. */
const read = (text: string): string => text.replaceAll(/[\s\u200B]+/g, '');
const shown = (text: string): string => read(escapeText('plain', text));

describe('text of others', () => {
  it('is text and nothing else for a reader of Markdown, and reads as it was', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const tree = fromMarkdown(escapeText('markdown', text));
        const types = new Set(typesIn(tree));
        for (const plain of ['root', 'paragraph', 'text']) types.delete(plain);
        expect([...types]).toEqual([]);
        expect(read(textIn(tree))).toBe(shown(text));
      }),
    );
  });

  it('stands in a line of Markdown without ending what is around it', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const line = escapeText('markdown', text).replaceAll(/\s+/g, ' ');
        const tree = fromMarkdown(`**a** [x ${line} y](https://ours.example)`);
        expect(new Set(typesIn(tree))).toEqual(new Set(['root', 'paragraph', 'strong', 'text', 'link']));
      }),
    );
  });

  it('makes no element, and leaves no attribute, of HTML', () => {
    const { document } = new Window();
    fc.assert(
      fc.property(hostile, (text) => {
        const escaped = escapeText('html', text);
        document.body.innerHTML = `<p title="${escaped}">${escaped}</p>`;
        expect(document.body.querySelectorAll('*').length).toBe(1);
        expect(document.body.querySelector('p')?.attributes.length).toBe(1);
        expect(read(document.body.textContent)).toBe(shown(text));
      }),
    );
  });

  it.each([
    ['markdown', 'Ask @octo about #12 and !7', 'Ask @\u200Bocto about \\#\u200B12 and \\!\u200B7'],
    ['markdown', 'See\n/close\n  /assign @octo', 'See\n\\/close\n\\/assign @\u200Bocto'],
    ['markdown', '@angular/core', '@\u200Bangular/core'],
    ['markdown', 'see https://evil.example or www.evil.example', 'see https\\://evil.example or www\\.evil.example'],
    [
      'slack',
      '<!channel> & <https://evil.example|here>',
      '&lt;!channel&gt; &amp; &lt;https:\u200B//evil.example|here&gt;',
    ],
    ['plain', 'a\0b\u202Ec\r\nd', 'abc\nd'],
  ] as const)('%s: %j', (format, text, escaped) => {
    expect(escapeText(format, text)).toBe(escaped);
  });
});

describe('addresses', () => {
  it.each(['javascript:alert(1)', 'data:text/html,x', '', 'no address', '//evil.example'])('%j is none', (address) => {
    expect(TEXT_FORMATS.map((format) => addressText(format, address))).toEqual(['', '', '', '']);
  });

  it('do not end the link that they stand in', () => {
    const address = "https://ours.example/a)](<b>|c\"?x=1&y='2'";
    const tree: Node = fromMarkdown(`[x](${addressText('markdown', address)})`);
    expect(typesIn(tree)).toEqual(['root', 'paragraph', 'link', 'text']);
    expect(textIn(tree)).toBe('x');
    expect(addressText('slack', address)).not.toMatch(/[<>|"]|&(?!amp;)/);
    expect(addressText('html', address)).not.toMatch(/[<>"']|&(?!amp;)/);
  });
});

it('writes a link in each format, and none where there is no address', () => {
  const link = { label: 'A [b] <c> | "d"', url: 'https://ours.example/?a=1&b=(2)' };
  expect(TEXT_FORMATS.map((format) => linkText(format, link))).toEqual([
    'A [b] <c> | "d": https://ours.example/?a=1&b=(2)',
    '[A \\[b\\] \\<c\\> \\| "d"](https://ours.example/?a=1&b=%282%29)',
    '<https://ours.example/?a=1&amp;b=(2)|A [b] &lt;c&gt;   "d">',
    '<a href="https://ours.example/?a=1&amp;b=(2)">A [b] &lt;c&gt; | &quot;d&quot;</a>',
  ]);
  expect(linkText('markdown', { ...link, url: 'javascript:alert(1)' })).toBe('');
});

it('cuts at a whole character', () => {
  expect(shortened('😀😀😀', 2)).toBe('😀…');
  expect(shortened('abc', 3)).toBe('abc');
});
