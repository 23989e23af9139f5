import { makeAutoObservable } from 'mobx';
import { escapeWord } from '../../../platform/model/joined-words.ts';
import { serviceId } from '../../../platform/ui/data/service-id.ts';

/** What of the organisation lists are about: one repository, or the repositories with a tag. */
export interface Scope {
  kind: 'repository' | 'tag';
  /** Id of the repository; the tag itself. */
  value: string;
  /** As a person reads it. */
  label: string;
}

/** Parameters of an address that narrow its page to a scope, by kind of scope. */
export interface ScopeParameters extends Readonly<Partial<Record<Scope['kind'], string>>> {
  /** Values are joined by commas; where they hold one, it is escaped. */
  isJoined?: boolean;
}

/** Parameters of lists and figures of findings. */
export const FINDINGS_SCOPE: ScopeParameters = { repository: 'repository', tag: 'repository_tag', isJoined: true };

/** The scope as an address has it. */
export const scopeValue = ({ value }: Scope, { isJoined = false }: ScopeParameters): string =>
  isJoined ? escapeWord(value) : value;

/** Address of a page in a scope; without the scope where the page knows none of that kind. */
export const scopedPath = (path: string, parameters: ScopeParameters = {}, scope?: Scope): string => {
  const name = scope && parameters[scope.kind];
  return name ? `${path}?${new URLSearchParams({ [name]: scopeValue(scope, parameters) })}` : path;
};

const KEY = 'breakwater.scope';

const read = (storage: Pick<Storage, 'getItem'>): Scope | undefined => {
  try {
    const { kind, value, label } = JSON.parse(storage.getItem(KEY) ?? '{}');
    const isScope = (kind === 'repository' || kind === 'tag') && typeof value === 'string' && typeof label === 'string';
    return isScope ? { kind, value, label } : undefined;
  } catch {
    return undefined;
  }
};

/** The scope that this person chose in this tab. Addresses carry it; a list whose address does not has left it. */
export class ScopeStore {
  current: Scope | undefined;
  readonly #storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

  /** @param storage of the tab */
  constructor(storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>) {
    this.#storage = storage;
    this.current = read(storage);
    makeAutoObservable(this, {}, { autoBind: true });
  }

  choose(scope: Scope | undefined): void {
    this.current = scope;
    if (scope === undefined) this.#storage.removeItem(KEY);
    else this.#storage.setItem(KEY, JSON.stringify(scope));
  }

  clear(): void {
    this.choose(undefined);
  }
}

export const SCOPE = serviceId<ScopeStore>('shell.scope');
