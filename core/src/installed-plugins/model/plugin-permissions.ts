/** What a version of a plugin may do, and who answers for it. */
export interface PluginPermissions {
  readonly publisher: string;
  /** Hosts that it talks to, as its manifest names them: `api.example.com`, `*.example.com`, `{{hosted_domain}}`. */
  readonly hosts: readonly string[];
  /** Secrets of its forms that its code reads in the clear. */
  readonly reveals: readonly string[];
  /** Its connectors that show a page of their own, by the ids that their author gave them. */
  readonly views: readonly string[];
}

/** What an admin approved. */
export interface PluginApproval extends PluginPermissions {
  /** Number of the version that they went back to; null where newer ones follow by themselves. */
  readonly heldAt: number | null;
}

export interface NumberedVersion extends PluginPermissions {
  /** Counts the versions of a plugin in the order of their installation. */
  readonly number: number;
}

/** One card of a plugin, as it is shown before anything of it runs. */
export interface ShownConnector {
  readonly id: string;
  readonly title: string;
  readonly category: string;
  readonly description: string;
  /** Names of capabilities, such as `findings`. */
  readonly capabilities: readonly string[];
  /** JSON Schema of the form. */
  readonly credentials: unknown;
}

/** What of a version nobody has approved; a list is empty where it asks for no more. */
export interface MorePermissions {
  readonly hosts: readonly string[];
  readonly reveals: readonly string[];
  readonly views: readonly string[];
  /** Another publisher than the one that was approved; null where it is the same. */
  readonly publisher: string | null;
}

const without = (wanted: readonly string[], approved: readonly string[]): string[] =>
  wanted.filter((one) => !approved.includes(one));

export const morePermissions = (approved: PluginPermissions, wanted: PluginPermissions): MorePermissions => ({
  hosts: without(wanted.hosts, approved.hosts),
  reveals: without(wanted.reveals, approved.reveals),
  views: without(wanted.views, approved.views),
  publisher: wanted.publisher === approved.publisher ? null : wanted.publisher,
});

export const asksForMore = (approved: PluginPermissions, wanted: PluginPermissions): boolean => {
  const { hosts, reveals, views, publisher } = morePermissions(approved, wanted);
  return [hosts, reveals, views].some((more) => more.length > 0) || publisher !== null;
};

/** Whether what an admin has seen is exactly what a version asks for, in any order. */
export const isSamePermissions = (seen: PluginPermissions, wanted: PluginPermissions): boolean =>
  !asksForMore(seen, wanted) && !asksForMore(wanted, seen);

/**
 * The version that an organisation uses: the one that it went back to, else the newest that asks for no more than was approved.
 * @returns null where there is none, because the versions that were approved are gone
 */
export const versionInUse = <V extends NumberedVersion>(versions: readonly V[], approval: PluginApproval): V | null => {
  const allowed = versions
    .filter((version) => !asksForMore(approval, version))
    .toSorted((one, other) => other.number - one.number);
  return allowed.find(({ number }) => number === approval.heldAt) ?? allowed[0] ?? null;
};
