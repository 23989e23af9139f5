// no text in this file: its errors are for authors
import { connectView } from './connect-view.ts';

/** Most bytes of the file of a view. */
export const MAX_VIEW_BYTES = 512 * 1024;
const DOCTYPE = '<!doctype html>';
/** The policy of the frame loads nothing: it is said before it is missed. */
const LOADED = /<(?:script|img|video|audio|source)\b[^<>]{0,500}\ssrc\s{0,10}=\s{0,10}["']?(?!data:|["'])|<link\b/i;
/** A frame inside of the view would have the members that `PRELUDE` takes away. Made by a script, it cannot be filled: Trusted Types. */
const FRAMES = /<(?:i?frame|frameset|object|embed|portal|fencedframe)/i;

/** What is wrong with the file of a view; nothing where it can be shown. */
export function viewIssue(content: Uint8Array): string | undefined {
  if (content.byteLength > MAX_VIEW_BYTES) return `has more than ${MAX_VIEW_BYTES} bytes`;
  const html = textOf(content);
  if (html === undefined) return 'is no text in UTF-8';
  if (html.slice(0, DOCTYPE.length).toLowerCase() !== DOCTYPE) return `does not begin with ${DOCTYPE}`;
  if (FRAMES.test(html)) return 'holds a frame, an object or the text of one: a view has none';
  return LOADED.test(html)
    ? 'loads another file: write scripts and styles into it, and pictures as data addresses'
    : undefined;
}

/** @returns nothing where it is no UTF-8 */
export function textOf(content: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(content);
  } catch {
    return undefined;
  }
}

/** WebRTC obeys no `connect-src`; XSLT makes elements that Trusted Types do not judge. */
const PRELUDE =
  "for(const name of ['RTCPeerConnection','webkitRTCPeerConnection','XSLTProcessor'])Object.defineProperty(window,name,{value:undefined});";

/** The document that is served: that of the author, in which `breakwater` is known before any of its scripts runs. */
export function viewDocument(html: string): string {
  return `${DOCTYPE}<script>${PRELUDE}window.breakwater=(${connectView})(window)</script>${html.slice(DOCTYPE.length)}`;
}

/**
 * Headers under which a view is served. Its origin is opaque wherever it is opened, it loads and calls nothing, and only the application may
 * frame it. Trusted Types keep its scripts from filling frames of their own, and from taking text for HTML.
 */
export const VIEW_HEADERS: Readonly<Record<string, string>> = {
  'Content-Security-Policy': [
    'sandbox allow-scripts',
    "default-src 'none'",
    "script-src 'unsafe-inline'",
    "style-src 'unsafe-inline'",
    'img-src data:',
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'self'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; '),
  'X-Frame-Options': 'SAMEORIGIN',
  'X-Content-Type-Options': 'nosniff',
  'X-DNS-Prefetch-Control': 'off',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
};
