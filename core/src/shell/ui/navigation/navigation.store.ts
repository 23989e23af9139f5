import { makeAutoObservable, observable, reaction, runInAction } from 'mobx';
import type { ComponentType } from 'react';
import { can, type Permission } from '../../../platform/model/permissions.ts';
import type { ApiClient } from '../../../platform/ui/data/api-client.ts';
import { eventKind, type LiveEvents } from '../../../platform/ui/data/live-events.ts';
import { serviceId } from '../../../platform/ui/data/service-id.ts';
import type { Scope, ScopeParameters, ScopeStore } from './scope.store.ts';
import type { SessionPort } from './shell-ports.ts';

/** Several events of one import come together; one reading answers them all. */
const SETTLE_MS = 400;

interface NavigationDependencies {
  entries: readonly NavigationEntry[];
  api: ApiClient;
  events: LiveEvents;
  session: SessionPort;
  scope: ScopeStore;
}

/** The rail: which areas this person has, and how much is in each. */
export class NavigationStore {
  readonly counts = observable.map<string, number>();
  readonly #links = observable.map<string, readonly NavigationLink[]>({}, { deep: false });
  readonly #dependencies: NavigationDependencies;
  #abort = new AbortController();
  #unsubscribes: (() => void)[] = [];
  readonly #timers = new Map<string, ReturnType<typeof setTimeout>>();

  constructor(dependencies: NavigationDependencies) {
    this.#dependencies = dependencies;
    makeAutoObservable(this, { counts: false }, { autoBind: true });
  }

  entriesOf(group: NavigationEntry['group']): NavigationEntry[] {
    return this.#dependencies.entries.filter((entry) => entry.group === group && this.isFor(entry));
  }

  /** What this person put beside the areas, in their order. */
  get links(): NavigationLink[] {
    return this.#dependencies.entries.flatMap((entry) => (this.isFor(entry) && this.#links.get(entry.path)) || []);
  }

  /** Reads all counts and keeps them true while the home layout shows. */
  start(): void {
    const { entries, events, scope } = this.#dependencies;
    this.stop();
    this.#abort = new AbortController();
    for (const entry of entries) {
      for (const type of entry.count?.refreshOn ?? []) {
        this.#unsubscribes.push(events.on(eventKind(type), () => this.refreshSoon(entry)));
      }
      for (const type of entry.links?.refreshOn ?? []) {
        this.#unsubscribes.push(events.on(eventKind(type), () => void this.readLinks(entry)));
      }
    }
    this.#unsubscribes.push(
      events.onReconnect(this.refresh),
      reaction(() => scope.current, this.refreshCounts),
    );
    this.refresh();
  }

  stop(): void {
    this.#abort.abort();
    for (const unsubscribe of this.#unsubscribes) unsubscribe();
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#unsubscribes = [];
    this.#timers.clear();
  }

  /** Reads every count again; for screens that changed something themselves. */
  refresh(): void {
    this.refreshCounts();
    this.refreshLinks();
  }

  private refreshCounts(): void {
    for (const entry of this.#dependencies.entries) void this.refreshOne(entry);
  }

  /** Reads again what people put beside the areas; for screens on which they do so. */
  refreshLinks(): void {
    for (const entry of this.#dependencies.entries) void this.readLinks(entry);
  }

  clear(): void {
    this.counts.clear();
    this.#links.clear();
  }

  /** Whether this person has the area at all. */
  private isFor({ permission }: NavigationEntry): boolean {
    const { user, needsTwoFactor } = this.#dependencies.session;
    return !needsTwoFactor && (permission === undefined || can(user?.role, permission));
  }

  private refreshSoon(entry: NavigationEntry): void {
    clearTimeout(this.#timers.get(entry.path));
    this.#timers.set(
      entry.path,
      setTimeout(() => void this.refreshOne(entry), SETTLE_MS),
    );
  }

  private async refreshOne(entry: NavigationEntry): Promise<void> {
    if (entry.count === undefined || !this.isFor(entry)) return;
    const { signal } = this.#abort;
    const { api, scope } = this.#dependencies;
    const { current } = scope;
    try {
      const count = await entry.count.load(api, signal, current);
      // the answer for the scope of before may come after that of the new one
      if (!signal.aborted && scope.current === current) runInAction(() => this.counts.set(entry.path, count));
    } catch {
      // A count is an extra: without it the item shows its name alone, and the page itself tells what is wrong.
      if (!signal.aborted) runInAction(() => this.counts.delete(entry.path));
    }
  }

  private async readLinks(entry: NavigationEntry): Promise<void> {
    if (entry.links === undefined || !this.isFor(entry)) return;
    const { signal } = this.#abort;
    try {
      const links = await entry.links.load(this.#dependencies.api, signal);
      if (!signal.aborted) runInAction(() => this.#links.set(entry.path, links));
    } catch {
      // an extra, as a count is: what was read before stays
    }
  }
}

export const NAVIGATION = serviceId<NavigationStore>('shell.navigation');

interface NavigationIconProps {
  size?: number;
  'aria-hidden'?: boolean;
}

/** Number at the right of a rail item. It is read at sign-in, after each listed event, and when the connection comes back. */
interface NavigationCount {
  load(api: ApiClient, signal: AbortSignal, scope?: Scope): Promise<number>;
  /** Types of server-sent events after which the number may differ: `findings.imported`. */
  refreshOn: readonly string[];
}

/** What a person put into the rail: a page at one of its views. */
export interface NavigationLink {
  id: string;
  label: string;
  to: string;
}

/** What the person put beside an item. Read when the rail shows, after each listed event, and when a screen asks for it. */
interface NavigationLinks {
  load(api: ApiClient, signal: AbortSignal): Promise<NavigationLink[]>;
  /** Types of server-sent events after which they may be others: `saved_view.changed`. */
  refreshOn: readonly string[];
}

/** One item of the rail. Areas that are not built have none. */
export interface NavigationEntry {
  label: string;
  /** A Blueprint icon as a component: `Shield` of `@blueprintjs/icons`. */
  icon: ComponentType<NavigationIconProps>;
  /** Address; the item is current there and below it. */
  path: string;
  /** Pages below it are items of their own. */
  isExact?: boolean;
  /** Its list can be narrowed to a scope, and its item then leads there. */
  scopeParameters?: ScopeParameters;
  /** Other lists that the same parameters narrow, each exactly. */
  alsoScoped?: readonly string[];
  /** Its pages at other addresses, each exactly: `/oauth/callback/:connector`. */
  alsoAt?: readonly string[];
  /** `work`: the product's lists. `organization`: under the organisation's name. */
  group: 'work' | 'organization';
  /** Absent: everybody. */
  permission?: Permission;
  count?: NavigationCount;
  links?: NavigationLinks;
}
