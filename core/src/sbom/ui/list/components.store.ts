import { makeAutoObservable, runInAction } from 'mobx';
import type { Static } from 'typebox';
import { withVisibleText } from '../../../platform/model/visible-text.ts';
import type { ApiClient } from '../../../platform/ui/data/api-client.ts';
import { PagedRows } from '../../../platform/ui/data/paged-rows.ts';
import { t } from '../../../platform/ui/language/translate.ts';
import { type ComponentFacets, type ComponentRow, listComponents, readComponentFacets } from '../../api/routes.ts';
import { type ComponentView, formatComponentView, parseComponentView } from './component-view.ts';

export interface ComponentItem {
  _id: string;
  attributes: Static<typeof ComponentRow>;
}

/** Rows of the inventory, read as they come into sight. */
export class ComponentsStore {
  view: ComponentView = parseComponentView(new URLSearchParams());
  /** Values of the filters; undefined until they are read, and the filters then offer nothing. */
  facets: ComponentFacets | undefined = undefined;
  readonly list: PagedRows<ComponentItem>;
  readonly #api: ApiClient;
  #address: string | undefined = undefined;

  constructor(api: ApiClient) {
    this.#api = api;
    this.list = new PagedRows((page, pageSize, signal) => this.#read(page, pageSize, signal));
    makeAutoObservable(this, { list: false }, { autoBind: true });
  }

  show(view: ComponentView): void {
    const address = formatComponentView(view).toString();
    if (address === this.#address && this.list.error === undefined) return;
    this.#address = address;
    this.view = view;
    this.reload();
  }

  /** Reads rows and filter values anew. */
  reload(): void {
    this.list.reload();
    void this.#readFacets(this.list.signal);
  }

  repositoryName(id: string): string {
    return this.facets?.repository.find(({ value }) => value === id)?.label ?? t('One application');
  }

  /** The one application in view: the chosen one, or the only one there is. */
  get application(): { id: string; name: string } | undefined {
    const known = this.facets?.repository ?? [];
    const [id, ...others] = this.view.repository.length > 0 ? this.view.repository : known.map(({ value }) => value);
    return id === undefined || others.length > 0 ? undefined : { id, name: this.repositoryName(id) };
  }

  /** Whether age and newest version are looked up: every row says so. */
  get isLookupOn(): boolean {
    return (this.list.rowAt(0)?.attributes.published ?? null) !== null;
  }

  /** Gives up what is being read; the next `show` reads anew (React mounts a screen twice in development). */
  dispose(): void {
    this.#address = undefined;
    this.list.dispose();
  }

  async #read(page: number, pageSize: number, signal: AbortSignal) {
    const { sort, sortField } = this.view;
    const query = { ...this.#conditions, sort, sort_field: sortField, pagination: { page, pageSize } };
    const { data, meta } = await this.#api.call(listComponents, { query, signal });
    return { rows: withVisibleText(data), total: meta.pagination.total };
  }

  get #conditions() {
    const { search, isVulnerableOnly, ecosystem, license, licenseClass, repository, repositoryTag } = this.view;
    const vulnerable = isVulnerableOnly ? { vulnerable: 'only' as const } : {};
    return {
      search,
      filters: {
        ecosystem,
        license,
        license_class: licenseClass,
        repository,
        repository_tag: repositoryTag,
        ...vulnerable,
      },
    };
  }

  /** A failure leaves the values as they were. */
  async #readFacets(signal: AbortSignal): Promise<void> {
    try {
      const { data } = await this.#api.call(readComponentFacets, { query: this.#conditions, signal });
      runInAction(() => {
        this.facets = data;
      });
    } catch {
      // the list beside them says what is wrong
    }
  }
}

type Attributes = ComponentItem['attributes'];

/** `group/name` where the ecosystem has groups. */
export const fullName = ({ group, name }: Pick<Attributes, 'group' | 'name'>): string =>
  group === null || group === '' || name.startsWith(`${group}/`) ? name : `${group}/${name}`;

export const licenseText = (licenses: readonly string[]): string =>
  licenses.length === 0 ? t('Not stated') : licenses.join(', ');

/** Whether the application names it itself; null where the inventory does not say. */
export const directText = (direct: boolean | null): string => {
  if (direct === null) return '';
  return direct ? t('Direct') : t('Transitive');
};
