import { lstat, readdir, readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import type { Static } from 'typebox';
import { manifestOfDocument } from '../../../declarative/read-document.ts';
import { readViews } from '../../../host/read-views.ts';
import { shapeIssues } from '../../../read-answer.ts';
import { apiRefusal } from '../../../sdk-api.ts';
import { BuildManifestShape, fileEntry } from './build-manifest.ts';
import { MANIFEST_FILE } from './manifest-file.ts';

/** A path below the folder: no part leads up, no sign means something else on another system. */
const PATH = /^[\w.-]+(\/[\w.-]+)*$/;

type BuildManifest = Static<typeof BuildManifestShape>;

/**
 * Whether a built connector is what its manifest says: every file there, unchanged, and nothing else; of a connector without code, also
 * whether the manifest says of its name and hosts what the document says. Runs no code of it, follows no links.
 * The manifest itself is not signed: whoever hands a build on has to keep its hash elsewhere.
 * @returns every issue in words; none where it is sound
 */
export async function checkBuild(folder: string): Promise<string[]> {
  const manifest = await readManifestFile(folder);
  if (manifest.issues.length > 0 || manifest.content === undefined) return manifest.issues;
  const { content } = manifest;
  const paths = content.files.map(({ path }) => path);
  const strange = paths.filter(
    (path, index) => !isBelow(path) || paths.indexOf(path) < index || path === MANIFEST_FILE,
  );
  if (strange.length > 0) return strange.map((path) => `${MANIFEST_FILE} names "${path}", which is no file of a build`);
  const { files, others } = await entriesBelow(folder);
  const issues = [
    ...others.map((path) => `${path} is neither file nor folder`),
    ...files
      .filter((path) => path !== MANIFEST_FILE && !paths.includes(path))
      .map((path) => `${path} is not in ${MANIFEST_FILE}`),
    ...paths.filter((path) => !files.includes(path)).map((path) => `${path} is missing`),
  ];
  if (issues.length > 0) return issues;
  const changed: string[] = [];
  for (const { path, bytes, sha256 } of content.files) {
    const found = fileEntry({ path, content: await readFile(join(folder, path)) });
    if (found.bytes !== bytes || found.sha256 !== sha256)
      changed.push(`${path} was changed: its SHA-256 is ${found.sha256}`);
  }
  if (changed.length > 0) return changed;
  return content.kind === 'code' ? viewIssues(folder, content) : documentIssues(folder, content);
}

async function viewIssues(folder: string, { connectors, files }: BuildManifest): Promise<string[]> {
  const views = connectors.flatMap(({ id, view: entry }) =>
    entry === undefined ? [] : [{ id, view: { title: id, entry } }],
  );
  const unlisted = views.filter(({ view }) => !files.some(({ path }) => path === view.entry));
  if (unlisted.length > 0) return unlisted.map(({ view }) => `view ${view.entry} is none of the files`);
  return [...(await readViews(folder, { connectors: views })).issues];
}

async function readManifestFile(folder: string): Promise<{ content?: BuildManifest; issues: string[] }> {
  try {
    const file = join(folder, MANIFEST_FILE);
    if (!(await lstat(file)).isFile()) return { issues: [`${MANIFEST_FILE} is no file`] };
    const content: unknown = JSON.parse(await readFile(file, 'utf8'));
    const refusal = apiRefusal(Reflect.get(Object(Reflect.get(Object(content), 'sdk')), 'api'));
    if (refusal !== null) return { issues: [refusal] };
    if (isManifest(content)) return { content, issues: [] };
    const issues = shapeIssues(BuildManifestShape, content, []);
    return { issues: issues.map(({ path, message }) => `${MANIFEST_FILE}, ${path.join('.') || 'whole'}: ${message}`) };
  } catch (error) {
    return { issues: [`${MANIFEST_FILE} cannot be read: ${error instanceof Error ? error.message : error}`] };
  }
}

function isManifest(content: unknown): content is BuildManifest {
  return shapeIssues(BuildManifestShape, content, []).length === 0;
}

function isBelow(path: string): boolean {
  return PATH.test(path) && !path.split('/').some((part) => part === '..' || part === '.');
}

async function entriesBelow(folder: string): Promise<{ files: string[]; others: string[] }> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const pathOf = (entry: (typeof entries)[number]) =>
    relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/');
  return {
    files: entries.filter((entry) => entry.isFile()).map(pathOf),
    others: entries.filter((entry) => !entry.isFile() && !entry.isDirectory()).map(pathOf),
  };
}

async function documentIssues(folder: string, content: BuildManifest): Promise<string[]> {
  const text = await readFile(join(folder, 'connector.json'), 'utf8').catch(() => 'null');
  try {
    const { id, version, connectors } = manifestOfDocument(JSON.parse(text));
    const hosts = [...new Set(connectors.flatMap(({ permissions }) => permissions.egress))].toSorted();
    const isSame =
      id === content.id && version === content.version && String(hosts) === String(content.permissions.hosts);
    return isSame ? [] : [`${MANIFEST_FILE} says another name, version or other hosts than connector.json`];
  } catch (error) {
    return [`connector.json: ${error instanceof Error ? error.message : error}`];
  }
}
