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

/** Images inside the text show; those of other sites become links, so that reading a finding calls nobody. */
function PolicyImage({ src, alt = '' }: { src: string | undefined; alt: string | undefined }) {
  if (src === undefined || src === '') return <span>{alt}</span>;
  if (src.startsWith('data:')) return <img src={src} alt={alt} />;
  return <PolicyLink href={src}>{alt === '' ? src : alt}</PolicyLink>;
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
        components={{
          a: ({ href, title, children }) => <PolicyLink {...{ href, title, children }} />,
          img: ({ src, alt }) => <PolicyImage src={typeof src === 'string' ? src : undefined} alt={alt} />,
        }}
      >
        {text}
      </Markdown>
    </div>
  );
}
