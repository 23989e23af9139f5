import type { AnchorHTMLAttributes } from 'react';
import Markdown, { type UrlTransform } from 'react-markdown';
import remarkGfm from 'remark-gfm';
import { isExternal, safeAddress } from './link-policy.ts';

const transformAddress: UrlTransform = (address, key) => safeAddress(address, key === 'src');

function PolicyLink({ href, children, title }: AnchorHTMLAttributes<HTMLAnchorElement>) {
  // A refused address leaves its text: the reader sees what was written, and nothing to click.
  if (href === undefined || href === '') return <span>{children}</span>;
  if (!isExternal(href))
    return (
      <a href={href} title={title}>
        {children}
      </a>
    );
  return (
    <a href={href} title={title} target="_blank" rel="noopener noreferrer">
      {children}
    </a>
  );
}

export interface SafeMarkdownProps {
  text: string;
}

/** Text of a report as Markdown, without raw HTML. Links obey the link policy. */
export function SafeMarkdown({ text }: SafeMarkdownProps) {
  return (
    <div className="prose">
      <Markdown
        remarkPlugins={[remarkGfm]}
        skipHtml
        urlTransform={transformAddress}
        components={{ a: ({ href, title, children }) => <PolicyLink {...{ href, title, children }} /> }}
      >
        {text}
      </Markdown>
    </div>
  );
}
