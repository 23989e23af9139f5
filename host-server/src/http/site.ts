import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Request, RequestHandler, Response } from 'express';
import { type Encoding, encodingsOf } from './encoding.ts';
import { pageStatus } from './pages.ts';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.webp': 'image/webp',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.woff': 'font/woff',
  '.txt': 'text/plain; charset=utf-8',
};

/** Files whose name holds a hash of their content. */
const HASHED = '/static/';

interface SiteFile {
  type: string;
  etag: string;
  plain: Buffer;
  br: Buffer | undefined;
  gzip: Buffer | undefined;
}

/** The built browser application, held in memory: a few megabytes, and no path of a request ever reaches the disk. */
export interface Site {
  /** CSP sources of the inline scripts of index.html. */
  scriptHashes: string[];
  handler: RequestHandler;
}

const sha256 = (bytes: Buffer | string): string => createHash('sha256').update(bytes).digest('base64');

const loadFiles = async (folder: string): Promise<Map<string, SiteFile>> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const contents = new Map<string, Buffer>();
  for (const entry of entries) {
    if (!entry.isFile()) continue;
    const absolute = path.join(entry.parentPath, entry.name);
    contents.set(`/${path.relative(folder, absolute).split(path.sep).join('/')}`, await readFile(absolute));
  }
  const files = new Map<string, SiteFile>();
  for (const [name, plain] of contents) {
    const type = TYPES[path.posix.extname(name)];
    if (type === undefined) continue;
    files.set(name, {
      type,
      etag: `"${sha256(plain)}"`,
      plain,
      br: contents.get(`${name}.br`),
      gzip: contents.get(`${name}.gz`),
    });
  }
  return files;
};

/** Of a page of the build. */
const inlineScriptHashes = (html: string): string[] =>
  // our own text
  [...html.matchAll(/<script(?![^>]*\bsrc=)[^>]*>([\s\S]*?)<\/script>/gi)].map(
    (match) => `'sha256-${sha256(match[1] ?? '')}'`,
  );

const pick = (request: Request, file: SiteFile): { encoding?: Encoding; bytes: Buffer } => {
  for (const encoding of encodingsOf(request)) {
    const bytes = file[encoding];
    if (bytes !== undefined) return { encoding, bytes };
  }
  return { bytes: file.plain };
};

const send = (
  request: Request,
  response: Response,
  file: SiteFile,
  answer: { status: number; cache: string },
): void => {
  const { encoding, bytes } = pick(request, file);
  response.setHeader('Cache-Control', answer.cache);
  response.setHeader('Vary', 'Accept-Encoding');
  response.setHeader('ETag', file.etag);
  response.status(answer.status);
  if (answer.status === 200 && request.headers['if-none-match'] === file.etag) {
    response.status(304).end();
    return;
  }
  response.setHeader('Content-Type', file.type);
  if (encoding !== undefined) response.setHeader('Content-Encoding', encoding);
  response.setHeader('Content-Length', bytes.length);
  if (request.method === 'HEAD') response.end();
  else response.end(bytes);
};

const queryOf = ({ url }: Request): URLSearchParams => new URLSearchParams(url.split('?').slice(1).join('?'));

const cacheOf = (name: string): string =>
  name.startsWith(HASHED) ? 'public, max-age=31536000, immutable' : 'public, max-age=3600';

/** @throws when the folder holds no index.html. */
export const loadSite = async (folder: string): Promise<Site> => {
  const files = await loadFiles(folder);
  const index = files.get('/index.html');
  if (index === undefined)
    throw new Error('The browser application has not been built: its folder holds no index.html.');
  const handler: RequestHandler = (request, response, next) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      next();
      return;
    }
    const file = request.path === '/index.html' ? undefined : files.get(request.path);
    if (file !== undefined) send(request, response, file, { status: 200, cache: cacheOf(request.path) });
    // no text: the answer to an address of a file that is not there
    else if (request.path.startsWith(HASHED)) response.status(404).type('text').send('There is no such file.');
    else send(request, response, index, { status: pageStatus(request.path, queryOf(request)), cache: 'no-cache' });
  };
  return { scriptHashes: inlineScriptHashes(index.plain.toString('utf8')), handler };
};
