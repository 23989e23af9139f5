import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { packBuild } from '@breakwater/core/testing/connectors/plugin-build.ts';
import { create, Header } from 'tar';
import { expect, test } from 'vitest';
import { ArchiveError, readArchive } from './plugin-archive.ts';

const MANIFEST = '{"files":[]}';
const BLOCK = 512;

/** An archive of any entries, as a hostile author would make it. */
const archiveOf = (entries: readonly { path: string; text?: string; type?: string; linkpath?: string }[]): Buffer => {
  const pieces = entries.flatMap(({ path: name, text = '', type = '0', linkpath = '' }) => {
    const body = Buffer.from(text);
    const header = new Header({ path: name, mode: 0o644, size: body.length, linkpath });
    const block = Buffer.alloc(BLOCK);
    header.encode(block);
    block.write(type, 156);
    // the sum of all bytes, with its own place as spaces
    block.write(' '.repeat(8), 148);
    const sum = block.reduce((total, byte) => total + byte, 0);
    block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
    return [block, body, Buffer.alloc((BLOCK - (body.length % BLOCK)) % BLOCK)];
  });
  return gzipSync(Buffer.concat([...pieces, Buffer.alloc(2 * BLOCK)]));
};
const build = { path: 'package/breakwater-build.json', text: MANIFEST };

test('what npm packs is read without its folder', async () => {
  const files = await readArchive(archiveOf([build, { path: 'package/src/a.js', text: 'a' }]));
  expect([...files.keys()]).toEqual(['breakwater-build.json', 'src/a.js']);
  expect(new TextDecoder().decode(files.get('src/a.js'))).toBe('a');
});

test('what we pack, we read: the same files give the same bytes', async () => {
  const spec = { id: 'wharf-scan', version: '1.0.0' };
  const archive = await packBuild(spec);
  expect(await packBuild(spec)).toEqual(archive);
  expect([...(await readArchive(archive)).keys()].toSorted()).toEqual([
    'LICENSE',
    'README.md',
    'breakwater-build.json',
    'connector.js',
    'package.json',
  ]);
});

test('tar of the machine packs what we read', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'breakwater-tar-'));
  await writeFile(path.join(folder, 'breakwater-build.json'), MANIFEST);
  await symlink('/etc/passwd', path.join(folder, 'link'));
  const packed = (...names: string[]) => create({ gzip: true, cwd: folder }, names).concat();
  expect([...(await readArchive(await packed('breakwater-build.json'))).keys()]).toEqual(['breakwater-build.json']);
  await expect(readArchive(await packed('breakwater-build.json', 'link'))).rejects.toThrow(/a link or a device/);
  await rm(folder, { recursive: true });
});

test.each<[string, () => Buffer, RegExp]>([
  [
    'a path that leads up',
    () => archiveOf([build, { path: 'package/../../etc/cron.d/x', text: 'x' }]),
    /leads out of it/,
  ],
  ['an absolute path', () => archiveOf([build, { path: '/etc/passwd', text: 'x' }]), /leads out of it/],
  ['a path of another system', () => archiveOf([build, { path: 'package/..\\..\\x', text: 'x' }]), /leads out of it/],
  [
    'a symbolic link',
    () => archiveOf([build, { path: 'package/a', type: '2', linkpath: '/etc/passwd' }]),
    /a link or a device/,
  ],
  [
    'a hard link',
    () => archiveOf([build, { path: 'package/a', type: '1', linkpath: '/etc/passwd' }]),
    /a link or a device/,
  ],
  ['a device', () => archiveOf([build, { path: 'package/a', type: '3' }]), /a link or a device/],
  ['two files of one path', () => archiveOf([build, build]), /two files of one path|no build/],
  ['two builds', () => archiveOf([build, { ...build, path: 'package/a/breakwater-build.json' }]), /holds no build/],
  ['files beside the build', () => archiveOf([build, { path: 'more/a.js', text: 'a' }]), /beside the folder/],
  ['no build', () => archiveOf([{ path: 'package/index.js', text: 'x' }]), /holds no build/],
  [
    'more files than any plugin',
    () => archiveOf([build, ...Array.from({ length: 501 }, (_, index) => ({ path: `package/${index}` }))]),
    /more than 500 files/,
  ],
  ['a bomb', () => gzipSync(Buffer.alloc(60 * 1024 * 1024)), /larger than 50 MB/],
  ['no gzip', () => Buffer.from('PK'), /no archive/],
  ['gzip of something else', () => gzipSync('hello'), /no archive|holds no build/],
  ['a broken header', () => gzipSync(Buffer.alloc(1024, 7)), /no archive/],
])('%s is refused', async (_, make, reason) => {
  const reading = readArchive(make());
  await expect(reading).rejects.toThrow(ArchiveError);
  await expect(reading).rejects.toThrow(reason);
});
