import type { FindingType, SettingChange } from '@breakwater/sdk';

/** What the engine has to know of a finding. Texts are as a report wrote them: data, never instructions. */
export interface FixFinding {
  readonly id: string;
  readonly tool: string;
  readonly ruleId: string;
  readonly title: string;
  readonly type: FindingType;
  readonly cve: string | null;
  /** Path of the file from the root of the repository; '' or null where the report names none. */
  readonly file: string | null;
  /** Lines of the file, from 1. */
  readonly startLine: number | null;
  readonly endLine: number | null;
  /** Resource that the report names: `aws_s3_bucket.logs`, `Deployment.shop`. */
  readonly resource: string | null;
  readonly component: FixComponent | null;
}

/** The package that a finding is about, as `finding_definitions` holds it. */
export interface FixComponent {
  readonly name: string;
  readonly version: string | null;
  /** Lowest version without the flaw; several, one a line of releases, are joined by ", ". */
  readonly fixedVersion: string | null;
  readonly purl: string | null;
  /** Type of package URL: npm, pypi, maven, golang, gem, cargo, composer. */
  readonly ecosystem: string | null;
}

/** A file of the repository at the branch that the fix starts from. */
export interface RepositoryFile {
  readonly path: string;
  readonly content: string;
}

/** The commit that a tag or a branch of an action stands at. */
export interface ResolvedRef {
  /** Whole hash, 40 hexadecimal digits. */
  readonly commit: string;
}

/** Whether a package manager writes the file as a whole: edits of two people cannot be put together in it. */
export const isLockFile = (path: string): boolean =>
  /(?:^|\/)(?:(?:package-lock|npm-shrinkwrap)\.json|go\.sum)$/.test(path);

/** A project as the package manager of its lock file sees it. */
export interface LockedProject {
  /** Manifests by their path from the folder of the lock file, and the lock file itself. */
  readonly files: ReadonlyMap<string, string>;
  /** Name of the lock file. */
  readonly lock: string;
  /** What the manifests ask for anew, for tools that have to be told. */
  readonly change?: { readonly name: string; readonly version: string };
}

/** The lock file as it was written for these manifests, with the manifests that its tool changed, or the sentence that says why it was not. */
export type RenewedLock =
  | { readonly content: string; readonly manifests?: ReadonlyMap<string, string> }
  | { readonly refused: string };

/** One version of a package as its registry knows it: what it needs, by name. */
export interface KnownVersion {
  readonly version: string;
  readonly dependencies: Readonly<Record<string, string>>;
}

/** The built file of one version of a Python package. */
export interface Wheel {
  /** Hex. */
  readonly sha256: string;
  readonly version: string;
  /** One file serves every system and every Python. */
  readonly isForAll: boolean;
  /** What it needs without extras, as PEP 508 writes it. */
  readonly requires: readonly string[];
}

/** What one plan is made from. */
export interface FixRequest {
  readonly finding: FixFinding;
  /**
   * Other open findings of the same repository. Of a dependency: at least all of the same component, so that one upgrade clears all of them.
   * Those that the change clears too are in `Fix.closes`.
   */
  readonly related: readonly FixFinding[];
  /** Those of `filesForFix(finding)` that exist. Files that are not asked for are left alone. */
  readonly files: readonly RepositoryFile[];
  /** What a person has filled in so far, by `TemplateField.key`. */
  readonly templateValues?: Readonly<Record<string, string>>;
  /** Asks the provider of an action (`actions/checkout`, `v4`); undefined where it is not known there or nobody can be asked. */
  readonly resolveRef?: (repository: string, ref: string) => Promise<ResolvedRef | undefined>;
  /** Reads more files of the same branch; those that do not exist are left out. */
  readonly readFiles?: (paths: readonly string[]) => Promise<readonly RepositoryFile[]>;
  /** Has the package manager write a lock file anew. Left out: lock files stay as they are, and the fix says what to run. */
  readonly renewLock?: (project: LockedProject) => Promise<RenewedLock>;
  /** The wheel of a version of a Python package, or the sentence that says why there is none. */
  readonly wheelOf?: (name: string, version: string) => Promise<Wheel | { readonly refused: string }>;
  /** Versions of a package of npm from one upwards; none where the registry does not tell. */
  readonly versionsOf?: (name: string, from: string) => Promise<readonly KnownVersion[]>;
}

/** One file as it was and as it becomes. Bytes outside of the edit are the same. */
export interface FileEdit {
  readonly path: string;
  readonly before: string;
  readonly after: string;
}

/** A value that only a person can decide. */
export interface TemplateField {
  /** Name in `templateValues`. */
  readonly key: string;
  readonly label: string;
  /** What it is for, one sentence. */
  readonly help: string;
  /** Taken while nothing is filled in; absent where a person has to decide. */
  readonly default?: string;
  /** Regular expression that the whole value matches. */
  readonly pattern: string;
  /** What is said of a value that does not match. */
  readonly message: string;
}

/** A template that a person has filled in, or has still to fill in. */
export interface FixTemplate {
  /** Name of the template: `docker.user`. */
  readonly name: string;
  readonly fields: readonly TemplateField[];
  /** Values in use: filled in, else the defaults. */
  readonly values: Readonly<Record<string, string>>;
  /** What is wrong, by field: nothing filled in where nothing is taken by default, or a value that does not match. */
  readonly problems: Readonly<Record<string, string>>;
}

/** A lock file that the change makes out of date: a person or the pipeline runs the command. */
export interface StaleLock {
  readonly path: string;
  readonly tool: 'npm' | 'yarn' | 'pnpm' | 'poetry' | 'uv' | 'pipenv' | 'go' | 'bundler' | 'cargo' | 'composer';
  /** Command to be run in the folder of the lock file. */
  readonly command: string;
}

/** What several fixes have in common: the list is grouped by `key`. */
export interface FixGroup {
  /** `npm:express-jwt@8.4.1`, `docker.user`. */
  readonly key: string;
  /** `Upgrade express-jwt to 8.4.1`. */
  readonly label: string;
}

interface FixText {
  readonly title: string;
  /** Markdown for a pull request or an issue. */
  readonly description: string;
  readonly group: FixGroup;
  /** Findings that are cleared, `request.finding.id` first. */
  readonly closes: readonly string[];
}

/** A change of files. While `template.problems` is not empty, `changes` is empty: the remediation is `pending_input`. */
export interface ChangeFix extends FixText {
  readonly kind: 'change';
  readonly changes: readonly FileEdit[];
  /** A step to a higher major version, or another change that may need changes of the code. */
  readonly isBreaking: boolean;
  readonly staleLocks: readonly StaleLock[];
  /** What is left to a person, one sentence each; the description holds it too. */
  readonly remaining: readonly string[];
  readonly template?: FixTemplate;
}

/** What no change of files mends: a checklist for an issue (`remediation_type` issue). */
export interface IssueFix extends FixText {
  readonly kind: 'issue';
}

/** Settings of the repository at its provider, which its connection changes once a person has confirmed them. */
export interface SettingFix extends FixText {
  readonly kind: 'setting';
  readonly settings: readonly SettingChange[];
}

/** Why there is no fix; `no_usable_answer` is said of a model alone. */
export const NO_FIX_REASONS = [
  'no_fixed_version',
  'incomparable_versions',
  'manifest_not_found',
  'manifest_unreadable',
  'not_declared',
  'unsupported_ecosystem',
  'in_built_artefact',
  'file_not_found',
  'place_not_found',
  'already_fixed',
  'unresolved_reference',
  'no_template',
  'needs_code_change',
  'no_usable_answer',
] as const;
export type NoFixReason = (typeof NO_FIX_REASONS)[number];

/** No fix. `detail` is a sentence for people. */
export interface NoFix {
  readonly kind: 'none';
  readonly reason: NoFixReason;
  readonly detail: string;
}

export type Fix = ChangeFix | IssueFix | SettingFix;
export type FixPlan = Fix | NoFix;
