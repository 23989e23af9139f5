import { makeAutoObservable, observable } from 'mobx';

/** Findings that somebody picked in the list: one by one, by range, or all that its filter finds. */
export class SelectionStore {
  readonly ids = observable.set<string>();
  /** True where all that the list's filter finds is meant, not only what is loaded. */
  isAll = false;
  #anchor: number | undefined = undefined;

  constructor() {
    makeAutoObservable(this, { ids: false }, { autoBind: true });
  }

  get isEmpty(): boolean {
    return this.ids.size === 0 && !this.isAll;
  }

  has(id: string): boolean {
    return this.isAll || this.ids.has(id);
  }

  /** Picks a row or puts it back. Ranges begin here. */
  toggle(id: string, index: number): void {
    this.isAll = false;
    this.#anchor = index;
    if (!this.ids.delete(id)) this.ids.add(id);
  }

  /** Picks everything from where the last row was picked up to `index`. */
  extendTo(index: number, idAt: (index: number) => string | undefined): void {
    const from = this.#anchor ?? index;
    this.#anchor ??= index;
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
  }

  clear(): void {
    this.ids.clear();
    this.isAll = false;
    this.#anchor = undefined;
  }
}
