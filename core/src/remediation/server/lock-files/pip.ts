import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import type { Wheel } from '../../model/fix.ts';
import type { LockTool } from './lock-tool.ts';

/**
 * pip that resolves nothing and installs nothing: it looks for the wheel of one version. Only wheels: a source archive would be built, which
 * runs its code. Settings of the account and of the machine are not read.
 */
export const PIP: LockTool = {
  program: 'python3',
  argumentsFor: ({ change }) =>
    change === undefined
      ? undefined
      : [
          ...['-I', '-m', 'pip', 'install', '--dry-run', '--ignore-installed', '--no-deps', '--only-binary', ':all:'],
          ...['--no-input', '--no-cache-dir', '--disable-pip-version-check', '--quiet', '--report', '-'],
          `${change.name}==${change.version}`,
        ],
  environment: ({ registries }, { roots }) => ({
    PIP_CONFIG_FILE: '/dev/null',
    PIP_CERT: roots,
    ...(registries.pypi === undefined ? {} : { PIP_INDEX_URL: registries.pypi.href }),
  }),
  saidBy: (stderr) =>
    stderr
      .split('\n')
      .flatMap((line) => /^ERROR: (.+)$/.exec(line)?.[1] ?? [])
      .slice(0, 2)
      .join(' '),
};

/** Source: pip.pypa.io, "Installation Report", version 1. */
const Report = Type.Object({
  install: Type.Tuple([
    Type.Object({
      download_info: Type.Object({
        url: Type.String(),
        archive_info: Type.Object({ hashes: Type.Object({ sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }) }) }),
      }),
      metadata: Type.Object({ version: Type.String(), requires_dist: Type.Optional(Type.Array(Type.String())) }),
    }),
  ]),
});

const wheelIn = ({ install: [{ download_info: info, metadata }] }: Static<typeof Report>): Wheel => ({
  sha256: info.archive_info.hashes.sha256,
  version: metadata.version,
  isForAll: /-none-any\.whl$/.test(info.url.split(/[?#]/)[0] ?? ''),
  // the marker of an extra stands behind the semicolon
  requires: (metadata.requires_dist ?? []).filter(
    (requirement) => !/\bextra\b/.test(requirement.split(';').slice(1).join(';')),
  ),
});

/** What pip reports of one wheel; undefined where it is no such report. */
export const readWheel = (stdout: string): Wheel | undefined => {
  try {
    const value: unknown = JSON.parse(stdout);
    return Value.Check(Report, value) ? wheelIn(value) : undefined;
  } catch {
    return undefined;
  }
};
