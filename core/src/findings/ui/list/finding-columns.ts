import { makeAutoObservable, runInAction } from 'mobx';
import type { ApiClient } from '../../../platform/ui/data/api-client.ts';
import { t } from '../../../platform/ui/language/translate.ts';
import { getColumns, saveColumns } from '../../api/columns-routes.ts';
import { SORT_FIELDS } from '../../api/routes.ts';
import {
  COLUMN_KEYS,
  COLUMN_WIDTH,
  type ColumnKey,
  columnInfo,
  DEFAULT_COLUMNS,
  FIXED_COLUMNS,
  ON_DEMAND_KEYS,
  type OnDemandKey,
  usableColumns,
} from '../../model/column-catalogue.ts';
import { type QuietColumn, quietColumns } from '../../model/quiet-columns.ts';
import type { SortField, SortOrder } from '../data/finding-view.ts';
import type { FindingsStore } from '../data/findings.store.ts';

export interface FindingColumn {
  key: ColumnKey;
  label: string;
  /** CSS grid track. */
  track: string;
  /** Least width in px, for the width from which the list scrolls sideways in its box. */
  minWidth: number;
  isNumber: boolean;
  /** Field the server sorts by. */
  sortField: SortField | undefined;
  /** Order of the first click on the header. */
  firstSort: SortOrder;
}

/** Beside the panel, and in the block that a row is on a phone, there is room for these only (look.md "Layout"). */
const FEW: readonly ColumnKey[] = ['priority', 'severity', 'title', 'signals'];

/** Room for columns: the width of the list in px, or rows that are blocks. */
export type ListRoom = number | 'block';
/** Usual columns that go first where the finding would have too little; signals then fold into its second line. */
const LEFT_OUT: readonly ColumnKey[] = ['type', 'tool', 'signals'];
/** Part of the list that the finding has at least, before the usual columns give way. */
const FINDING_SHARE = 0.45;
/** Boxes to select and the edges of the list, px. */
const AROUND_PX = 64;

/** What is left for the finding, which takes all that the others do not. */
const shareOfFinding = (columns: readonly FindingColumn[], listPx: number): number =>
  columns.reduce((left, { key, minWidth }) => (key === 'title' ? left : left - minWidth), listPx - AROUND_PX) / listPx;

/** So long somebody may still be dragging. */
const SAVE_AFTER_MS = 250;

const within = (width: number): number => Math.round(Math.min(COLUMN_WIDTH.max, Math.max(COLUMN_WIDTH.min, width)));

const columnOf = (key: ColumnKey, width: number | undefined): FindingColumn => {
  const { label, sort, isNumber, firstSort, width: usual } = columnInfo(key);
  const isElastic = key === 'title' && width === undefined;
  return {
    key,
    label: t(label),
    track: isElastic ? `minmax(${usual}px, 1fr)` : `${width ?? usual}px`,
    minWidth: width ?? usual,
    isNumber,
    sortField: SORT_FIELDS.find((field) => field === sort),
    firstSort,
  };
};

/** What the list tells its columns. */
export type ListOfColumns = Pick<FindingsStore, 'view' | 'allRows' | 'soleValues'>;

/** Which columns the list shows, in which order and how wide. The server keeps them for the person. */
export class FindingColumns {
  keys: ColumnKey[] = [...DEFAULT_COLUMNS];
  widths: Partial<Record<ColumnKey, number>> = {};
  /** What the person chose is known, or could not be read: the list may be drawn without columns that jump. */
  isSettled = false;
  readonly #api: ApiClient;
  readonly #list: ListOfColumns;
  readonly #onProblem: (error: unknown) => void;
  #reading: Promise<void> | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Something was changed here before the stored columns arrived: they come too late. */
  #isTouched = false;

  constructor(api: ApiClient, list: ListOfColumns, onProblem: (error: unknown) => void) {
    this.#api = api;
    this.#list = list;
    this.#onProblem = onProblem;
    makeAutoObservable(this, {}, { autoBind: true });
  }

  /** Reads what the person chose, once; without an answer the usual columns stay. */
  load(): Promise<void> {
    this.#reading ??= this.#read();
    return this.#reading;
  }

  async #read(): Promise<void> {
    const answer = await this.#api.call(getColumns, {}).catch((error) => {
      this.#onProblem(error);
      return undefined;
    });
    runInAction(() => {
      if (answer !== undefined && !this.#isTouched) {
        const { selected, available } = answer.data;
        this.keys = usableColumns(selected.map(({ key }) => key));
        this.widths = Object.fromEntries(available.flatMap(({ key, width }) => (width === null ? [] : [[key, width]])));
      }
      this.isSettled = true;
    });
  }

  get columns(): FindingColumn[] {
    return this.keys.map((key) => columnOf(key, this.widths[key]));
  }

  /** Columns among the chosen ones that say the same in every row. */
  get quiet(): QuietColumn[] {
    const { view, allRows, soleValues } = this.#list;
    return quietColumns(this.keys, view.filters, { rows: allRows, sole: soleValues, sortedBy: view.sortField });
  }

  /** Columns for which there is room; on a small screen the signals fold into the second line of the finding. */
  besidePanel(isSmall: boolean): FindingColumn[] {
    return this.columns.filter((column) => FEW.includes(column.key) && !(isSmall && column.key === 'signals'));
  }

  /**
   * The columns without those that say the same in every row, and of the usual ones as many as leave the finding its part. Columns that
   * somebody chose stay where rows are no blocks; the list then scrolls sideways.
   */
  fitting(room: ListRoom): FindingColumn[] {
    if (room === 'block') return this.besidePanel(false);
    const quiet = this.quiet.map(({ key }) => key);
    let shown = this.columns.filter(({ key }) => !quiet.includes(key));
    if (!this.hasUsualKeys) return shown;
    for (const key of LEFT_OUT) {
      if (shareOfFinding(shown, room) >= FINDING_SHARE) break;
      shown = shown.filter((column) => column.key !== key);
    }
    return shown;
  }

  /** What is shown, in order, then the rest as the catalogue has it. */
  get choices(): FindingColumn[] {
    const hidden = COLUMN_KEYS.filter((key) => !this.keys.includes(key));
    return [...this.keys, ...hidden].map((key) => columnOf(key, this.widths[key]));
  }

  /** Long texts that a row must bring. */
  get longFields(): OnDemandKey[] {
    return ON_DEMAND_KEYS.filter((field) => this.keys.some((key) => key === field));
  }

  get hasUsualKeys(): boolean {
    return this.keys.length === DEFAULT_COLUMNS.length && this.keys.every((key, at) => DEFAULT_COLUMNS[at] === key);
  }

  get isDefault(): boolean {
    return this.hasUsualKeys && Object.keys(this.widths).length === 0;
  }

  isFixed(key: ColumnKey): boolean {
    return FIXED_COLUMNS.includes(key);
  }

  toggle(key: ColumnKey): void {
    if (this.isFixed(key)) return;
    this.keys = this.keys.includes(key) ? this.keys.filter((one) => one !== key) : [...this.keys, key];
    this.#saveSoon();
  }

  /** Moves a shown column to a place among the shown ones; past the ends it stops there. */
  move(key: ColumnKey, to: number): void {
    const from = this.keys.indexOf(key);
    const place = Math.max(0, Math.min(this.keys.length - 1, to));
    if (from === -1 || from === place) return;
    const rest = this.keys.filter((one) => one !== key);
    this.keys = [...rest.slice(0, place), key, ...rest.slice(place)];
    this.#saveSoon();
  }

  /** Sets the width in px; undefined gives the usual one back. */
  resize(key: ColumnKey, width: number | undefined): void {
    const { [key]: _old, ...rest } = this.widths;
    this.widths = width === undefined ? rest : { ...rest, [key]: within(width) };
    this.#saveSoon();
  }

  reset(): void {
    this.keys = [...DEFAULT_COLUMNS];
    this.widths = {};
    this.#saveSoon();
  }

  /** Writes at once what is still waiting. */
  flush(): void {
    if (this.#timer === undefined) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const body = { columns: this.hasUsualKeys ? [] : this.keys, widths: { ...this.widths } };
    this.#api.call(saveColumns, { body }).catch(this.#onProblem);
  }

  #saveSoon(): void {
    this.#isTouched = true;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(this.flush, SAVE_AFTER_MS);
  }
}
