/** Work of an upgrade, 0-100. Source: semantic versioning 2.0, items 4, 6-8. */
export const UPGRADE_EFFORT = { patch: 10, minor: 15, unclear: 30, breaking: 55, none: 80 } as const;

/** Packages of an operating system are rebuilt with the image and keep their interfaces within a release. */
const SYSTEM_ECOSYSTEMS: readonly string[] = ['deb', 'rpm', 'apk', 'alpm', 'ebuild'];
const SYSTEM_EFFORT = 15;

type Version = readonly [major: number, minor: number, patch: number];

const versionOf = (text: string): Version | undefined => {
  const [, major, minor = '0', patch = '0'] =
    /^[v=<>~^\s]*(\d{1,9})(?:\.(\d{1,9}))?(?:\.(\d{1,9}))?/i.exec(text.trim()) ?? [];
  return major === undefined ? undefined : [Number(major), Number(minor), Number(patch)];
};

const compare = (a: Version, b: Version): number => a[0] - b[0] || a[1] - b[1] || a[2] - b[2];

const stepTo = (from: Version, to: Version): number => {
  // before 1.0 a minor version may break
  const isSameLine = from[0] === to[0] && (from[0] > 0 || from[1] === to[1]);
  if (!isSameLine) return UPGRADE_EFFORT.breaking;
  return from[1] === to[1] ? UPGRADE_EFFORT.patch : UPGRADE_EFFORT.minor;
};

/** Effort of bringing a package to the nearest version without the fault. Pure. */
export const upgradeEffort = (component: {
  version?: string | null | undefined;
  fixedVersion?: string | null | undefined;
  ecosystem?: string | null | undefined;
}): number => {
  const { version, fixedVersion, ecosystem } = component;
  if (fixedVersion === undefined || fixedVersion === null || fixedVersion.trim() === '') return UPGRADE_EFFORT.none;
  if (ecosystem !== undefined && ecosystem !== null && SYSTEM_ECOSYSTEMS.includes(ecosystem)) return SYSTEM_EFFORT;
  const from = versionOf(version ?? '');
  const to = fixedVersion.split(/[,|\s]+/).flatMap((text) => {
    const fixed = versionOf(text);
    return fixed === undefined ? [] : [fixed];
  });
  if (from === undefined || to.length === 0) return UPGRADE_EFFORT.unclear;
  const newer = to.filter((fixed) => compare(fixed, from) >= 0);
  return newer.length === 0 ? UPGRADE_EFFORT.unclear : Math.min(...newer.map((fixed) => stepTo(from, fixed)));
};
