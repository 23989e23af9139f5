import { createHash } from 'node:crypto';
import { answerJson, ConnectorError, readAnswer } from '@breakwater/sdk';
import { SourceEntry } from './answers.ts';
import { type BitbucketCtx, repositoryPath, segment } from './requests.ts';

/** A path at a commit, given by its whole hash. */
interface SourcePath {
  readonly repository: string;
  readonly commit: string;
  readonly path: string;
}

interface SourceFile {
  readonly size: number;
  readonly isExecutable: boolean;
}

/** What stands at the path; null where there is no file. Source: Bitbucket Cloud REST API 2.0, `GET src/{commit}/{path}`. */
export async function sourceEntry({ http }: BitbucketCtx, source: SourcePath): Promise<SourceFile | null> {
  const address = addressOf(source);
  if (address === null) return null;
  const answer = await http.request({ path: address, query: { format: 'meta' }, accept: [404] });
  if (answer.status === 404) return null;
  const { type, size, attributes = [] } = readAnswer(SourceEntry, answerJson(answer));
  if (type === 'commit_directory') return null;
  if (type !== 'commit_file' || size === undefined) {
    throw new ConnectorError('upstream', 'Bitbucket did not say how large a file is.');
  }
  return { size, isExecutable: [attributes].flat().includes('executable') };
}

/** The bytes of a file that is there, as many as Bitbucket said. */
export async function contentOf(
  { http }: BitbucketCtx,
  { size, ...source }: SourcePath & { readonly size: number },
): Promise<Uint8Array> {
  const { body } = await http.request({ path: addressOf(source) ?? '' });
  if (body.byteLength === size) return body;
  throw new ConnectorError('upstream', `Bitbucket sent ${body.byteLength} bytes of a file that has ${size}.`);
}

/** Whether git can hold such a path; `..` would lead to another address. */
export function isPath(path: string): boolean {
  return path.split('/').every((part) => part !== '' && part !== '.' && part !== '..');
}

function addressOf({ repository, commit, path }: SourcePath): string | null {
  if (!isPath(path)) return null;
  return repositoryPath(repository, `/src/${commit}/${path.split('/').map(segment).join('/')}`);
}

/** One file of an upload. */
export interface UploadedFile {
  readonly path: string;
  readonly content: Uint8Array;
  readonly isExecutable: boolean;
}

interface Upload {
  readonly fields: readonly (readonly [name: string, value: string])[];
  readonly files: readonly UploadedFile[];
}

/**
 * A body of `multipart/form-data` as RFC 7578 says it; a file is named by its path, with a slash before it so that none is
 * taken for a field. @throws ConnectorError config, where a path cannot be said in it
 */
export function multipart({ fields, files }: Upload): { readonly body: Uint8Array; readonly type: string } {
  const parts = [
    ...fields.map(([name, value]) => [`form-data; name="${name}"`, Buffer.from(value)] as const),
    ...files.map(({ path, content, isExecutable }) => {
      if (/["\\\r\n]/.test(path)) {
        throw new ConnectorError(
          'config',
          'Bitbucket takes no file whose name holds a quote, a backslash or a line break.',
        );
      }
      const name = path.slice(path.lastIndexOf('/') + 1);
      const mode = isExecutable ? '; x-attributes="executable"' : '';
      return [`form-data; name="/${path}"; filename="${name}"${mode}`, content] as const;
    }),
  ];
  const boundary = boundaryOf(parts);
  const pieces = parts.flatMap(([disposition, content]) => [
    Buffer.from(`--${boundary}\r\nContent-Disposition: ${disposition}\r\n\r\n`),
    content,
    Buffer.from('\r\n'),
  ]);
  return {
    body: Buffer.concat([...pieces, Buffer.from(`--${boundary}--\r\n`)]),
    type: `multipart/form-data; boundary=${boundary}`,
  };
}

/** The same for the same content, and nothing that a file could hold: its hash would have to stand in itself. */
function boundaryOf(parts: readonly (readonly [disposition: string, content: Uint8Array])[]): string {
  const hash = createHash('sha256');
  for (const [disposition, content] of parts) hash.update(`${disposition}\n${content.byteLength}\n`).update(content);
  return `breakwater-${hash.digest('hex').slice(0, 40)}`;
}
