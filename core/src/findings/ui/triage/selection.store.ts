import { makeAutoObservable, observable } from 'mobx';
import type { Filters } from '../data/finding-view.ts';

/** A group of the list that is meant as a whole, but for the findings that were put back. */
export interface PickedGroup {
  /** Which list exactly its findings. */
  filters: Filters;
  search: string;
  count: number;
  except: readonly string[];
}

/** What the box of a group shows. */
export type PickedState = 'all' | 'some' | 'none';

/** Where findings stand in the list now. */
interface RowOrder {
  idAt: (index: number) => string | undefined;
  /** -1 where it is not among the rows that are loaded. */
  indexOf: (id: string) => number;
}

/** Findings that somebody picked in the list: one by one, by range, by group, or all that its filter finds. */
export class SelectionStore {
  readonly ids = observable.set<string>();
  readonly groups = observable.map<string, PickedGroup>({}, { deep: false });
  /** True where all that the list's filter finds is meant, not only what is loaded. */
  isAll = false;
  /** Groups of findings that were picked one by one. */
  readonly #groupOf = new Map<string, string>();
  #anchor: { id: string; index: number } | undefined = undefined;

  constructor() {
    makeAutoObservable(this, { ids: false, groups: false }, { autoBind: true });
  }

  get isEmpty(): boolean {
    return this.ids.size === 0 && this.groups.size === 0 && !this.isAll;
  }

  /** How many are picked; of a list that is meant as a whole its own total says it. */
  get count(): number {
    return [...this.groups.values()].reduce((sum, { count, except }) => sum + count - except.length, this.ids.size);
  }

  has(id: string): boolean {
    return this.isAll || this.ids.has(id);
  }

  /** Whether a finding of a group is picked, by itself or with its group. */
  hasIn(id: string, group: string): boolean {
    if (this.has(id)) return true;
    const picked = this.groups.get(group);
    return picked !== undefined && !picked.except.includes(id);
  }

  /** @param count of the findings of the group */
  stateOf(group: string, count: number): PickedState {
    if (this.isAll) return 'all';
    const picked = this.groups.get(group);
    if (picked !== undefined) return picked.except.length === 0 ? 'all' : 'some';
    const single = [...this.ids].filter((id) => this.#groupOf.get(id) === group).length;
    return single === 0 ? 'none' : single < count ? 'some' : 'all';
  }

  /** Picks a row or puts it back. Ranges begin here. */
  toggle(id: string, index: number): void {
    this.isAll = false;
    this.#anchor = { id, index };
    if (!this.ids.delete(id)) this.ids.add(id);
  }

  /** Picks a finding of a group or puts it back. */
  toggleIn(id: string, group: string): void {
    this.isAll = false;
    const picked = this.groups.get(group);
    if (picked === undefined) {
      this.#groupOf.set(id, group);
      if (!this.ids.delete(id)) this.ids.add(id);
      return;
    }
    const others = picked.except.filter((one) => one !== id);
    const except = others.length < picked.except.length ? others : [...picked.except, id];
    if (except.length < picked.count) this.groups.set(group, { ...picked, except });
    else this.groups.delete(group);
  }

  /** Picks all findings of a group, or puts them back where all are picked. */
  toggleGroup(group: string, of: Omit<PickedGroup, 'except'>): void {
    const isPicked = this.stateOf(group, of.count) === 'all';
    this.isAll = false;
    for (const id of [...this.ids]) if (this.#groupOf.get(id) === group) this.ids.delete(id);
    if (isPicked) this.groups.delete(group);
    else this.groups.set(group, { ...of, except: [] });
  }

  /** Picks everything from the finding that was picked last, wherever it stands by now, up to `index`. */
  extendTo(index: number, { idAt, indexOf }: RowOrder): void {
    const anchor = this.#anchor;
    const moved = anchor === undefined ? index : indexOf(anchor.id);
    const from = moved < 0 ? (anchor?.index ?? index) : moved;
    const here = idAt(index);
    if (anchor === undefined && here !== undefined) this.#anchor = { id: here, index };
    this.isAll = false;
    for (let at = Math.min(from, index); at <= Math.max(from, index); at += 1) {
      const id = idAt(at);
      if (id !== undefined) this.ids.add(id);
    }
  }

  pick(ids: readonly string[]): void {
    this.isAll = false;
    for (const id of ids) this.ids.add(id);
  }

  /** Puts rows back. */
  drop(ids: readonly string[]): void {
    for (const id of ids) this.ids.delete(id);
  }

  pickAll(): void {
    this.isAll = true;
    this.groups.clear();
  }

  /** Groups are those of one view: another one has others. */
  dropGroups(): void {
    this.groups.clear();
    for (const id of this.#groupOf.keys()) this.ids.delete(id);
    this.#groupOf.clear();
  }

  clear(): void {
    this.ids.clear();
    this.groups.clear();
    this.#groupOf.clear();
    this.isAll = false;
    this.#anchor = undefined;
  }
}
