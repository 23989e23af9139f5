import { buildConnector } from '../build/build.ts';
import { checkBuild } from '../build/check-build.ts';
import type { Command } from './command.ts';

export const buildCommand: Command = {
  usage: `  build [folder] [--out <folder>]
      Makes what is published, in <folder>/build unless --out names another: the code as one module (by the Rolldown of the folder) or the
      document, languages, README and licence, and breakwater-build.json with version, permissions, tier and the SHA-256 of each file.
      Refuses secrets that are written out, a tier below silver, and a folder without publisher, picture, README or licence.`,
  options: { out: { type: 'string' } },
  run: async ({ folder, values: { out } }) => {
    const { folder: target, manifest } = await buildConnector(folder, typeof out === 'string' ? out : 'build');
    const rows = manifest.files.map(({ path, bytes }) => `  ${path}  ${bytes} bytes`);
    const title = `${manifest.id} ${manifest.version}, ${manifest.kind}, ${manifest.tier}, built in ${target}:`;
    const hosts = `It may call: ${manifest.permissions.hosts.join(', ') || 'nothing'}.`;
    return { isReached: true, text: [title, ...rows, hosts].join('\n') };
  },
};

export const checkBuildCommand: Command = {
  usage: `  check-build [folder]
      Says whether the files of a build are those that its breakwater-build.json names, unchanged. Runs no code of it.`,
  options: {},
  run: async ({ folder }) => {
    const issues = await checkBuild(folder);
    return { isReached: issues.length === 0, text: issues.length === 0 ? 'The build is sound.' : issues.join('\n') };
  },
};
