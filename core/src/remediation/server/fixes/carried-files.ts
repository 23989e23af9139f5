// no text in this file: an issue is read by everybody who works in the repository, in English
import { versionScheme } from '../../../platform/model/versions/schemes.ts';
import { targetVersion } from '../../../platform/model/versions/target-version.ts';
import type { FixComponent, FixRequest, IssueFix } from '../../model/fix.ts';

/** Whether a file was built from sources, so that no manifest of the project decides what is in it. */
export const isBuilt = (file: string | null): boolean =>
  /\.(?:jar|war|ear|exe|dll|so|whl|apk|rpm|deb)$/i.test(file ?? '') || /(?:^|\/)(?:bin|sbin)\/[^/.]+$/.test(file ?? '');

/** The installed package of npm that a file came with, innermost; undefined where it came with none. */
const carrierOf = (file: string): string | undefined => {
  const parts = file.split('/');
  const [first = '', second = '', ...rest] = parts.slice(parts.lastIndexOf('node_modules') + 1);
  if (!parts.includes('node_modules')) return undefined;
  const isScoped = first.startsWith('@');
  const isInside = second !== '' && (!isScoped || rest.length > 0);
  const name = isScoped ? `${first}/${second}` : first;
  return isInside && /^[\w@/.~-]+$/.test(name) ? name : undefined;
};

const code = (text: string): string => `\`${text.replaceAll(/[`\r\n]/g, ' ').slice(0, 200)}\``;

/** The version that clears the finding and most of the others of the same file, and which those are. */
const wantedOf = (
  { finding, related }: FixRequest,
  component: FixComponent,
  ecosystem: string,
): { version: string | undefined; clears: readonly string[] } => {
  const scheme = versionScheme(ecosystem);
  const others = related.flatMap(({ id, file, component: other }) =>
    file === finding.file && other?.name === component.name ? [{ id, component: other }] : [],
  );
  const target =
    scheme === undefined ? 'incomparable_versions' : targetVersion(scheme, { id: finding.id, component }, others);
  return typeof target === 'string' ? { version: undefined, clears: [finding.id] } : target;
};

/** Whether the built file is part of the component itself, so that the component's own upgrade brings another one. */
export const isOwnFile = (file: string | null, { ecosystem, name }: { ecosystem: string; name: string }): boolean =>
  ecosystem === 'npm' && carrierOf(file ?? '') === name;

/**
 * A checklist for a component inside of a file that an installed package brought along: which release of that package holds a fixed one is
 * told by no report, so that a person has to look. Undefined where the file came with no package.
 * @param name of the component, as its manifests write it
 */
export const planCarrier = (
  request: FixRequest,
  component: FixComponent,
  { ecosystem, name }: { ecosystem: string; name: string },
): IssueFix | undefined => {
  const file = request.finding.file ?? '';
  const carrier = carrierOf(file);
  if (carrier === undefined) return undefined;
  const { version, clears } = wantedOf(request, component, ecosystem);
  const fixed = version === undefined ? 'a fixed version' : `${code(version)} or later`;
  const steps = [
    `Find the first release of ${code(carrier)} whose ${code(file.slice(file.lastIndexOf('/') + 1))} holds ${code(name)} in ${fixed}: its release notes, or a scan of the package, tell.`,
    `Upgrade ${code(carrier)} to it, or the package of the project that brings it along, and bring the lock file along.`,
    'Where there is no such release: ask for one there, and decide whether what is affected is ever reached.',
    'Install again and scan again.',
  ];
  const found = component.version === null ? '' : ` ${code(component.version)}`;
  return {
    kind: 'issue',
    title: `Upgrade ${carrier}, which carries ${name}${component.version === null ? '' : ` ${component.version}`}`,
    description: `${code(file)} was built with ${code(name)}${found} inside. It belongs to the package ${code(carrier)}, which is upgraded as a whole.\n\n${steps.map((step) => `- [ ] ${step}`).join('\n')}`,
    group: { key: `carrier.npm:${carrier}`, label: `Upgrade ${carrier}` },
    closes: [...new Set([request.finding.id, ...clears])],
  };
};
