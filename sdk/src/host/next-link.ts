import { ConnectorError } from '../errors.ts';

/** Where a list goes on, from its Link header (RFC 8288); null at its end. */
export function nextOfLink(header = ''): string | null {
  for (const [, target, parameters] of header.matchAll(
    /<([^<>]*)>((?:\s*;\s*[\w!#$&+.^`|~*-]+(?:=(?:"[^"]*"|[^\s",;]*))?)*)/g,
  )) {
    const [, quoted, bare] = /;\s*rel=(?:"([^"]*)"|([^\s",;]*))/i.exec(parameters ?? '') ?? [];
    const relations = (quoted ?? bare ?? '').toLowerCase().split(/\s+/);
    if (relations.includes('next') && target !== undefined) return target;
  }
  return null;
}

/**
 * The address of the next page as the service writes it.
 * @throws ConnectorError upstream, where it leads to another origin: the token would go there
 */
export function nextAddress(title: string, asked: URL, target: string): URL {
  const url = URL.parse(target, asked);
  if (url !== null && url.origin === asked.origin && url.username === '' && url.password === '') return url;
  throw new ConnectorError('upstream', `${title} gives a list that goes on at another host, which is not followed.`, {
    help: 'Is the address of the service the one that it calls itself?',
  });
}
