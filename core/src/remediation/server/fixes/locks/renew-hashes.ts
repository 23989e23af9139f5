import { type Sentence, say, sayLabel } from '../../../../platform/model/sentence.ts';
import { sayEnglish } from '../../../../platform/model/translator.ts';
import type { FixRequest, Wheel } from '../../../model/fix.ts';
import type { ManifestChange, Upgrade } from '../manifests/manifest.ts';
import { isAdmitted, pythonName, readRequirement } from '../manifests/python-requirement.ts';
import { hashNote } from '../manifests/requirements.ts';
import { CannotFix } from '../text/cannot-fix.ts';
import { applyEdits, type Line, lineEndOf, linesOf } from '../text/edits.ts';

const refuse = (why: Sentence): CannotFix => new CannotFix('manifest_unreadable', why);

/** The version that a file of hashes pins a package to; undefined where it names none. */
const pinOf = (lines: readonly Line[], name: string): string | undefined => {
  for (const { text } of lines) {
    const found = readRequirement(text);
    const pin = found === undefined ? undefined : /^\s*={2,3}\s*([^\s,]+)\s*$/.exec(found.specifiers)?.[1];
    if (found !== undefined && pin !== undefined && pythonName(found.name) === pythonName(name)) return pin;
  }
  return undefined;
};

/** With hashes pip installs nothing that the file does not pin: what the new version needs has to stand in it. @throws CannotFix */
const checkNeeds = (lines: readonly Line[], { requires }: Wheel, path: string): void => {
  for (const requirement of requires) {
    const needed = readRequirement(requirement);
    const pin = needed === undefined ? undefined : pinOf(lines, needed.name);
    // what only another system or Python needs may be missing
    const isConditional = requirement.includes(';');
    if (needed === undefined || (pin === undefined && !isConditional))
      throw refuse(
        say('it needs {requirement}, which {path} does not pin.', { requirement: requirement.slice(0, 100), path }),
      );
    if (pin !== undefined && !isAdmitted(needed.specifiers, pin))
      throw refuse(
        say('it needs {requirement}, and {path} pins {version}.', {
          requirement: requirement.slice(0, 100),
          path,
          version: pin,
        }),
      );
  }
};

/** Writes the hash of a wheel behind the one line that pins its package. @throws CannotFix */
const withHash = (text: string, path: string, upgrade: Upgrade, wheel: Wheel): string => {
  const lines = linesOf(text);
  checkNeeds(lines, wheel, path);
  const own = lines.filter((line) => pythonName(readRequirement(line.text)?.name ?? '') === pythonName(upgrade.name));
  const [line, ...others] = own;
  if (line === undefined || others.length > 0 || /#|\\$|--hash/.test(line.text))
    throw refuse(say('{path} does not name {name} on one line of its own.', { path, name: upgrade.name }));
  const added = ` \\${lineEndOf(text)}    --hash=sha256:${wheel.sha256}`;
  return applyEdits(text, [{ start: line.end, end: line.end, text: added }]);
};

/**
 * Gives a requirement that pins by hashes the hash of its new version, where pip is there to tell it and one wheel serves every system. Where
 * it cannot be done the hashes are left out, with the reason and what a person has to do.
 */
export const withPipHashes = async (
  request: FixRequest,
  upgrade: Upgrade,
  change: ManifestChange,
): Promise<ManifestChange> => {
  const { wheelOf } = request;
  const stale = [...change.files].filter(([path]) => change.remaining.includes(hashNote(path, upgrade.name)));
  if (wheelOf === undefined || stale.length === 0) return change;
  const notes = new Set(stale.map(([path]) => hashNote(path, upgrade.name)));
  try {
    const wheel = await wheelOf(upgrade.name, upgrade.to);
    if ('refused' in wheel) throw refuse(sayLabel(wheel.refused));
    if (!wheel.isForAll) throw refuse(say('it has a file for each system, and pip tells of one.'));
    const renewed = stale.map(([path, text]): [string, string] => [path, withHash(text, path, upgrade, wheel)]);
    return {
      ...change,
      files: new Map([...change.files, ...renewed]),
      remaining: change.remaining.filter((note) => !notes.has(note)),
    };
  } catch (error) {
    if (!(error instanceof CannotFix)) throw error;
    const why = sayEnglish('The hash of {name} {version} was not written: {why}', {
      name: upgrade.name,
      version: upgrade.to,
      why: error.message,
    });
    return { ...change, remaining: [...change.remaining, why] };
  }
};
