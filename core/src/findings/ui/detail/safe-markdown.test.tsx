import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { safeAddress } from './link-policy.ts';
import { SafeMarkdown } from './safe-markdown.tsx';

afterEach(cleanup);

/** Addresses that must never become a link. */
const ADDRESSES = [
  'javascript:alert(1)',
  'JavaScript:alert(1)',
  'JAVASCRIPT:alert(1)',
  'java\tscript:alert(1)',
  'java\nscript:alert(1)',
  'java\r\nscript:alert(1)',
  ' javascript:alert(1)',
  '\u0001javascript:alert(1)',
  '\u0000javascript:alert(1)',
  '\u001Fjavascript:alert(1)',
  'javascript&#58;alert(1)',
  'javascript&colon;alert(1)',
  '&#106;avascript:alert(1)',
  '&#x6A;avascript:alert(1)',
  '&#0000106avascript:alert(1)',
  'jav&#x09;ascript:alert(1)',
  'jav&#x0A;ascript:alert(1)',
  'jav&Tab;ascript:alert(1)',
  'javascript:alert(1)//http://x.example',
  'javascript://x.example/%0aalert(1)',
  'javascript:/*--></title></style></textarea></script>*/alert(1)',
  'javascript%3Aalert(1)',
  'JaVaScRiPt%3aalert(1)',
  '%6Aavascript:alert(1)',
  'vbscript:msgbox(1)',
  'VBScript:msgbox(1)',
  'vb\tscript:msgbox(1)',
  'vbscript%3Amsgbox(1)',
  'file:///etc/passwd',
  'FILE:///C:/Windows',
  'file%3A///etc/passwd',
  'data:text/html,<script>alert(1)</script>',
  'data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==',
  'DATA:text/html,x',
  'data:image/svg+xml,<svg onload=alert(1)>',
  'data:image/svg+xml;base64,PHN2Zy8+',
  'data:application/xhtml+xml,x',
  'data:,x',
  'data:image/png;base64,iVBORw0KGgo=',
  'blob:https://x.example/1',
  'about:blank',
  'view-source:http://x.example',
  'filesystem:http://x.example/temporary/x',
  'jar:http://x.example!/x',
  'chrome://settings',
  'intent://x#Intent;end',
  'ms-msdt:/id',
  'livescript:alert(1)',
  'mocha:alert(1)',
];

/** Markup that must come out as nothing, or as text. */
const MARKUP = [
  '<script>alert(1)</script>',
  '<ScRiPt>alert(1)</sCrIpT>',
  '<img src=x onerror=alert(1)>',
  '<svg onload=alert(1)>',
  '<a href="javascript:alert(1)">x</a>',
  '<iframe src="javascript:alert(1)"></iframe>',
  '<body onload=alert(1)>',
  '<details open ontoggle=alert(1)>',
  '<math><mtext></mtext><script>alert(1)</script></math>',
  '<style>@import "javascript:alert(1)"</style>',
  '<object data="javascript:alert(1)"></object>',
  '<embed src="javascript:alert(1)">',
  '<form action="javascript:alert(1)"><button>x</button></form>',
  '<meta http-equiv="refresh" content="0;url=javascript:alert(1)">',
  '<!-- --><script>alert(1)</script>',
];

const FORBIDDEN = 'script, iframe, object, embed, form, style, meta, svg, math, body > img, base, link';

const assertHarmless = (root: HTMLElement) => {
  for (const element of root.querySelectorAll('*')) {
    for (const { name, value } of element.attributes) {
      expect(name.startsWith('on')).toBe(false);
      if (name === 'href' || name === 'src') {
        const plain = [...value].filter((one) => one.charCodeAt(0) > 0x20).join('');
        expect(plain).not.toMatch(
          /^(javascript|vbscript|file|livescript|mocha|blob|about|view-source|filesystem|jar|chrome|intent|ms-msdt):/i,
        );
        if (name === 'href') expect(plain).not.toMatch(/^data:/i);
      }
    }
  }
  expect(root.querySelectorAll(FORBIDDEN)).toHaveLength(0);
};

describe('safe Markdown', () => {
  it('is tried with at least 60 payloads', () => {
    expect(ADDRESSES.length + MARKUP.length).toBeGreaterThanOrEqual(60);
  });

  it.each(ADDRESSES)('makes no link of %j, in any way of writing one', (address) => {
    const ways = [
      `[x](${address})`,
      `[x](<${address.replaceAll(/[\r\n<>]/g, '')}>)`,
      `![x](${address.startsWith('data:image/png') ? 'data:text/html,x' : address})`,
      `[x][1]\n\n[1]: ${address}`,
      `<${address}>`,
      address,
    ];
    for (const way of ways) {
      const { container, unmount } = render(<SafeMarkdown text={way} />);
      assertHarmless(container);
      unmount();
    }
    expect(safeAddress(address, false)).not.toMatch(/^(javascript|vbscript|file|data):/i);
  });

  it.each(MARKUP)('renders no element of %j', (markup) => {
    const { container } = render(<SafeMarkdown text={`before ${markup} after\n\n${markup}`} />);
    assertHarmless(container);
    expect(container.querySelectorAll('img, a, button')).toHaveLength(0);
  });

  it('keeps images of the four allowed kinds, as images only', () => {
    for (const kind of ['gif', 'png', 'jpeg', 'webp']) {
      const address = `data:image/${kind};base64,AAAA`;
      expect(safeAddress(address, true)).toBe(address);
      expect(safeAddress(address, false)).toBe('');
    }
    expect(safeAddress('data:image/svg+xml;base64,AAAA', true)).toBe('');
  });

  it('opens other sites in their own tab without a way back', () => {
    render(<SafeMarkdown text="See [the advisory](https://example.org/a) and [the list](/findings)." />);
    const external = screen.getByRole('link', { name: 'the advisory' });
    expect(external.getAttribute('rel')).toBe('noopener noreferrer');
    expect(external.getAttribute('target')).toBe('_blank');
    expect(screen.getByRole('link', { name: 'the list' }).getAttribute('target')).toBeNull();
  });

  it('treats //host as another site', () => {
    render(<SafeMarkdown text="[x](//example.org/a)" />);
    expect(screen.getByRole('link').getAttribute('rel')).toBe('noopener noreferrer');
  });

  it('fetches no picture of another site, but links to it', () => {
    const { container } = render(<SafeMarkdown text="![a map](https://example.org/pixel.gif)" />);
    expect(container.querySelector('img')).toBeNull();
    expect(screen.getByRole('link', { name: 'a map' }).getAttribute('href')).toBe('https://example.org/pixel.gif');
  });

  it('shows pictures that are inside the text', () => {
    const { container } = render(<SafeMarkdown text="![dot](data:image/png;base64,AAAA)" />);
    expect(container.querySelector('img')?.getAttribute('src')).toBe('data:image/png;base64,AAAA');
  });

  it('renders tables and lists', () => {
    render(<SafeMarkdown text={'| a | b |\n|---|---|\n| 1 | 2 |\n\n- one\n- two'} />);
    expect(screen.getByRole('table')).toBeDefined();
    expect(screen.getAllByRole('listitem')).toHaveLength(2);
  });
});
