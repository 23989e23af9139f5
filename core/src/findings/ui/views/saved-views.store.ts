import { makeAutoObservable, runInAction } from 'mobx';
import type { Static } from 'typebox';
import type { ApiClient } from '../../../platform/ui/data/api-client.ts';
import { LatestCall } from '../../../platform/ui/data/latest-call.ts';
import type { ToastsStore } from '../../../platform/ui/feedback/toasts.store.ts';
import { t } from '../../../platform/ui/language/translate.ts';
import {
  activateFilter,
  deleteFilter,
  listSavedFilters,
  type SavedFilter,
  saveFilter,
  shareFilter,
  starFilter,
  updateFilter,
  useSavedFilter,
} from '../../api/saved-filters-routes.ts';
import { SAVED_FILTER_NOTICES, type SavedFilterEntry, type SavedFilterScope } from '../../model/saved-filters.ts';
import { OPEN_STATUSES } from '../../model/states.ts';
import { type FindingView, formatView, parseView } from '../data/finding-view.ts';

/** The views that a person saved for the list of findings and those that others share, the active one among them. */
export class SavedViewsStore {
  views: readonly SavedView[] = [];
  /** They have been read once. */
  isKnown = false;
  /** Whether the list opens with the active view. */
  isUsed = true;
  isBusy = false;
  readonly #api: ApiClient;
  readonly #toasts: ToastsStore;
  /** List whose views these are. */
  readonly #scope: SavedFilterScope;
  /** The navigation shows some of them. */
  readonly #onChange: () => void;
  readonly #reading = new LatestCall();

  constructor(api: ApiClient, toasts: ToastsStore, scope: SavedFilterScope = 'app', onChange = () => {}) {
    this.#scope = scope;
    this.#onChange = onChange;
    this.#api = api;
    this.#toasts = toasts;
    makeAutoObservable(this, {}, { autoBind: true });
  }

  get active(): SavedView | undefined {
    return this.isUsed ? this.views.find((view) => view.active) : undefined;
  }

  /** Whether the list shows something else than the active view. */
  isChanged(view: FindingView): boolean {
    return this.active !== undefined && isOtherView(this.active, view);
  }

  /** Whether the person has one of that name, which saving would replace. */
  hasName(name: string): boolean {
    return this.views.some((view) => view.own && view.name.toLowerCase() === name.trim().toLowerCase());
  }

  async load(): Promise<void> {
    await this.#reading.run(
      (signal) => this.#api.call(listSavedFilters, { query: { scope: this.#scope }, signal }),
      ({ data, meta }) => {
        this.views = data;
        this.isKnown = true;
        this.isUsed = meta.use_saved_filter;
      },
      this.#toasts.showError,
    );
  }

  dispose(): void {
    this.#reading.dispose();
  }

  /** Saves a view and makes it the active one. @returns whether that went well */
  async save(name: string, view: FindingView): Promise<boolean> {
    return this.#change(async () => {
      const { data, message } = await this.#api.call(saveFilter, {
        query: {},
        body: { name: name.trim(), filters: entriesOf(view), scope: this.#scope },
      });
      await this.#api.call(activateFilter, { body: { id: data._id } });
      await this.#use();
      return message;
    });
  }

  async activate(saved: SavedView): Promise<boolean> {
    return this.#change(async () => {
      const { message } = await this.#api.call(activateFilter, { body: { id: saved._id } });
      await this.#use();
      return message;
    });
  }

  /** Makes the active view what the list shows now. */
  async update(view: FindingView): Promise<boolean> {
    const { active } = this;
    if (active === undefined) return false;
    return this.#change(async () => {
      const body = { name: active.name, filters: entriesOf(view) };
      const query = { scope: this.#scope, ...(active.own ? {} : { id: active._id }) };
      return (await this.#api.call(updateFilter, { params: { name: active.name }, query, body })).message;
    });
  }

  /** Puts one into the navigation of the person, or takes it out. */
  star({ _id: id, starred }: SavedView): Promise<boolean> {
    return this.#change(async () => (await this.#api.call(starFilter, { body: { id, starred: !starred } })).message);
  }

  /** Shares one with the organisation, or stops that. */
  share({ _id: id, shared }: SavedView): Promise<boolean> {
    return this.#change(async () => (await this.#api.call(shareFilter, { body: { id, shared: !shared } })).message);
  }

  /** Deletes one; the notice takes it back where it was the person's own. */
  async remove(saved: SavedView): Promise<void> {
    const isGone = await this.#change(async () => {
      await this.#api.call(deleteFilter, { query: {}, body: { id: saved._id } });
      return undefined;
    });
    if (!isGone) return;
    const notice = t(SAVED_FILTER_NOTICES.removed);
    if (saved.own) this.#toasts.showUndo(notice, () => void this.#putBack(saved));
    else this.#toasts.show(notice, { tone: 'done' });
  }

  /** Whether the list opens with the active view from now on. */
  setUsed(isUsed: boolean): Promise<boolean> {
    return this.#change(async () => {
      await this.#api.call(useSavedFilter, { body: { use_saved_filter: isUsed } });
      return undefined;
    });
  }

  async #use(): Promise<void> {
    if (!this.isUsed) await this.#api.call(useSavedFilter, { body: { use_saved_filter: true } });
  }

  async #putBack({ name, filters, active, shared, starred }: SavedView): Promise<void> {
    await this.#change(async () => {
      const { data } = await this.#api.call(saveFilter, { query: {}, body: { name, filters, scope: this.#scope } });
      const { _id: id } = data;
      if (active) await this.#api.call(activateFilter, { body: { id } });
      if (shared) await this.#api.call(shareFilter, { body: { id, shared } });
      if (starred) await this.#api.call(starFilter, { body: { id, starred } });
      return undefined;
    });
  }

  /** One change at a time; afterwards the list of views is read again. */
  async #change(write: () => Promise<string | undefined>): Promise<boolean> {
    if (this.isBusy) return false;
    this.isBusy = true;
    try {
      const message = await write();
      if (message !== undefined) this.#toasts.show(t(message), { tone: 'done' });
      await this.load();
      this.#onChange();
      return true;
    } catch (error) {
      this.#toasts.showError(error);
      return false;
    } finally {
      runInAction(() => {
        this.isBusy = false;
      });
    }
  }
}

export type SavedView = Static<typeof SavedFilter>;

/** A view as it is saved: what its address says, with the short word for open statuses written out. */
export const entriesOf = (view: FindingView): SavedFilterEntry[] =>
  [...formatView(view, 'all')].map(([key, value]) => ({
    [key]: key === 'status' && value === 'open' ? OPEN_STATUSES.join(',') : value,
  }));

const textOf = (value: SavedFilterEntry[string]): string => (Array.isArray(value) ? value.join(',') : String(value));

/** The view that was saved. What no longer exists is left out, so that an old view still opens a list. */
export const viewOf = (saved: Pick<SavedView, 'filters'>): FindingView =>
  parseView(
    new URLSearchParams(
      saved.filters.flatMap((entry) => Object.entries(entry).map(([key, value]) => [key, textOf(value)])),
    ),
    'all',
  );

/** Whether a view is another one than was saved. Names of columns and the page do not count. */
export const isOtherView = (saved: Pick<SavedView, 'filters'>, view: FindingView): boolean =>
  formatView(viewOf(saved), 'all').toString() !== formatView(view, 'all').toString();
