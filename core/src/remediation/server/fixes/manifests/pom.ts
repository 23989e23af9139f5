import { say } from '../../../../platform/model/sentence.ts';
import { sayEnglish } from '../../../../platform/model/translator.ts';
import { CannotFix } from '../text/cannot-fix.ts';
import { applyEdits, BYTE_ORDER_MARK, indentBefore, lineEndOf, type TextEdit } from '../text/edits.ts';
import { childOf, readXml, textOf, type XmlElement } from '../text/xml-elements.ts';
import { changedFiles, type ManifestEditor, type Upgrade } from './manifest.ts';

/** A pom.xml without its byte order mark. */
interface Pom {
  readonly path: string;
  readonly text: string;
  readonly project: XmlElement;
}

const dependenciesBelow = (element: XmlElement | undefined): XmlElement[] =>
  childOf(element, 'dependencies')?.children.filter(({ name }) => name === 'dependency') ?? [];

/** Dependencies of the project and of its profiles, and those that it only gives a version for. */
const allDependencies = ({ project }: Pom): XmlElement[] => {
  const profiles = childOf(project, 'profiles')?.children ?? [];
  return [project, ...profiles].flatMap((place) => [
    ...dependenciesBelow(place),
    ...dependenciesBelow(childOf(place, 'dependencyManagement')),
  ]);
};

const nameOf = ({ text }: Pom, dependency: XmlElement): string =>
  `${textOf(text, childOf(dependency, 'groupId'))}:${textOf(text, childOf(dependency, 'artifactId'))}`;

/** Reports of files name the artefact alone; a group is then not asked for. */
const isNamed = (pom: Pom, dependency: XmlElement, name: string): boolean => {
  const own = nameOf(pom, dependency);
  return name.includes(':') ? own === name : own.endsWith(`:${name}`);
};

const PROPERTY = /^\$\{([\w.-]{1,200})\}$/;

/** What holds the version: the element itself, or the property that it names. */
const versionHolder = (pom: Pom, version: XmlElement): XmlElement => {
  const property = PROPERTY.exec(textOf(pom.text, version))?.[1];
  if (property === undefined) return version;
  const holders = childOf(pom.project, 'properties')?.children.filter(({ name }) => name === property) ?? [];
  const [holder] = holders;
  if (holder !== undefined && holders.length === 1) return holder;
  throw new CannotFix(
    'not_declared',
    say('{path} takes the version from the property {property}, which it does not set itself.', {
      path: pom.path,
      property,
    }),
  );
};

const versionEdit = (pom: Pom, holder: XmlElement, { name, to, scheme }: Upgrade): TextEdit[] => {
  const written = textOf(pom.text, holder);
  const raw = pom.text.slice(holder.contentStart, holder.contentEnd);
  const isRange = /^[[(]/.test(written);
  if (!isRange && scheme.release(written) === undefined) {
    throw new CannotFix(
      'incomparable_versions',
      say('{path} sets {name} to {value}, which is no version.', {
        path: pom.path,
        name,
        value: written.slice(0, 100),
      }),
    );
  }
  if (raw.trim() !== written) {
    throw new CannotFix(
      'manifest_unreadable',
      say('{path} has a comment inside of the version of {name}.', { path: pom.path, name }),
    );
  }
  if (!isRange && scheme.compare(written, to) >= 0) return [];
  const start = holder.contentStart + raw.indexOf(written);
  return [{ start, end: start + written.length, text: to }];
};

/** Adds lines as the last child of an element that has children. */
const appendTo = (pom: Pom, element: XmlElement, lines: (indent: string, unit: string) => string[]): TextEdit => {
  const lineEnd = lineEndOf(pom.text);
  const own = indentBefore(pom.text, element.start) ?? '';
  const last = element.children.at(-1);
  const inner = (last === undefined ? undefined : indentBefore(pom.text, last.start)) ?? `${own}  `;
  const unit = inner.startsWith(own) && inner.length > own.length ? inner.slice(own.length) : '  ';
  const closing = indentBefore(pom.text, element.contentEnd);
  const at = element.contentEnd - (closing?.length ?? 0);
  const text = lines(own + unit, unit)
    .map((line) => `${line}${lineEnd}`)
    .join('');
  return { start: at, end: at, text: closing === undefined ? `${lineEnd}${text}${own}` : text };
};

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** Gives the version of what others bring along, or of what a parent gives one for. */
const managementEdit = (pom: Pom, upgrade: Upgrade): TextEdit => {
  const [group = '', artifact = ''] = upgrade.name.split(':');
  const entry = (indent: string, unit: string): string[] => [
    `${indent}<dependency>`,
    `${indent}${unit}<groupId>${escaped(group)}</groupId>`,
    `${indent}${unit}<artifactId>${escaped(artifact)}</artifactId>`,
    `${indent}${unit}<version>${escaped(upgrade.to)}</version>`,
    `${indent}</dependency>`,
  ];
  const management = childOf(pom.project, 'dependencyManagement');
  const dependencies = childOf(management, 'dependencies');
  if (dependencies !== undefined) return appendTo(pom, dependencies, entry);
  const wrapped = (indent: string, unit: string): string[] => [
    `${indent}<dependencies>`,
    ...entry(indent + unit, unit),
    `${indent}</dependencies>`,
  ];
  if (management !== undefined) return appendTo(pom, management, wrapped);
  return appendTo(pom, pom.project, (indent, unit) => [
    `${indent}<dependencyManagement>`,
    ...wrapped(indent + unit, unit),
    `${indent}</dependencyManagement>`,
  ]);
};

/** Others that take their version from the same property move along. */
const movedAlong = (pom: Pom, holders: readonly XmlElement[], named: readonly XmlElement[]): string[] => {
  const properties = new Set(holders.filter(({ parent }) => parent?.name === 'properties').map(({ name }) => name));
  const others = allDependencies(pom).filter((dependency) => {
    const property = PROPERTY.exec(textOf(pom.text, childOf(dependency, 'version')))?.[1];
    return property !== undefined && properties.has(property) && !named.includes(dependency);
  });
  const names = [...new Set(others.map((dependency) => nameOf(pom, dependency)))];
  return names.length === 0
    ? []
    : [
        sayEnglish('The property sets these as well, see that they have the version: {names}.', {
          names: names.join(', '),
        }),
      ];
};

/** pom.xml: versions of dependencies, of the properties they name, and of dependencyManagement. */
export const pomXml: ManifestEditor = {
  names: ['pom.xml'],
  edit: (upgrade, folder, files) => {
    const path = `${folder}pom.xml`;
    const content = files.get(path);
    if (content === undefined) throw new CannotFix('manifest_not_found', say('There is no file {path}.', { path }));
    const offset = content.startsWith(BYTE_ORDER_MARK) ? 1 : 0;
    const text = content.slice(offset);
    const pom: Pom = { path, text, project: readXml(text, path) };
    if (pom.project.name !== 'project')
      throw new CannotFix('manifest_unreadable', say('{path} is no project of Maven.', { path }));
    const named = allDependencies(pom).filter((dependency) => isNamed(pom, dependency, upgrade.name));
    const versions = named.flatMap((dependency) => childOf(dependency, 'version') ?? []);
    const holders = [...new Set(versions.map((version) => versionHolder(pom, version)))];
    if (holders.length === 0 && !upgrade.name.includes(':')) {
      throw new CannotFix(
        'not_declared',
        say('{path} gives no version for {name}, and the report does not name its group.', {
          path,
          name: upgrade.name,
        }),
      );
    }
    const edits =
      holders.length > 0
        ? holders.flatMap((holder) => versionEdit(pom, holder, upgrade))
        : [managementEdit(pom, upgrade)];
    const after = content.slice(0, offset) + applyEdits(text, edits);
    readXml(after.slice(offset), path);
    return {
      files: changedFiles(upgrade, files, new Map([[path, after]])),
      way: holders.length > 0 ? 'direct' : 'override',
      staleLocks: [],
      remaining: movedAlong(pom, holders, named),
    };
  },
};
