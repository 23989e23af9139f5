import { makeAutoObservable } from 'mobx';
import type { SortField, SortOrder } from './finding-view.ts';

export const COLUMN_KEYS = [
  'priority',
  'severity',
  'finding',
  'signals',
  'tool',
  'type',
  'category',
  'repository',
  'cvss',
  'status',
  'age',
] as const;
export type ColumnKey = (typeof COLUMN_KEYS)[number];

export interface FindingColumn {
  key: ColumnKey;
  label: string;
  /** CSS grid track. */
  track: string;
  /** Least width in px, for the width from which the list scrolls sideways in its box. */
  minWidth: number;
  isNumber?: boolean;
  /** Field the server sorts by. */
  sortField?: SortField;
  /** Order of the first click on the header. */
  firstSort?: SortOrder;
}

const COLUMNS: Record<ColumnKey, Omit<FindingColumn, 'key'>> = {
  priority: {
    label: 'Priority',
    track: '86px',
    minWidth: 86,
    isNumber: true,
    sortField: 'priority',
    firstSort: 'desc',
  },
  severity: { label: 'Severity', track: '116px', minWidth: 116, sortField: 'severity', firstSort: 'desc' },
  finding: { label: 'Finding', track: 'minmax(220px, 1fr)', minWidth: 220 },
  signals: { label: 'Signals', track: '176px', minWidth: 176, sortField: 'estimated_epss', firstSort: 'desc' },
  tool: { label: 'Tool', track: '150px', minWidth: 150 },
  type: { label: 'Type', track: '92px', minWidth: 92 },
  category: { label: 'Category', track: '150px', minWidth: 150 },
  repository: { label: 'Repository', track: '140px', minWidth: 140 },
  cvss: { label: 'CVSS', track: '66px', minWidth: 66, isNumber: true, sortField: 'cvssv3_score', firstSort: 'desc' },
  status: { label: 'Status', track: '128px', minWidth: 128 },
  age: { label: 'Seen', track: '92px', minWidth: 92, isNumber: true, sortField: 'date', firstSort: 'desc' },
};

/** The columns a fresh browser shows. */
const DEFAULT_KEYS: readonly ColumnKey[] = [
  'priority',
  'severity',
  'finding',
  'signals',
  'tool',
  'type',
  'status',
  'age',
];
/** Without these a row says nothing. */
export const FIXED_KEYS: readonly ColumnKey[] = ['priority', 'finding'];
/** Beside the panel there is room for these only (look.md "Layout"). */
const BESIDE_PANEL: readonly ColumnKey[] = ['priority', 'severity', 'finding', 'signals'];

/** Room for columns: the whole width, a rail of icons beside it, or less. */
export type ListRoom = 'wide' | 'medium' | 'small';
/** Usual columns that go first; signals then fold into the second line. */
const LEFT_OUT: Record<Exclude<ListRoom, 'wide'>, readonly ColumnKey[]> = {
  medium: ['tool', 'type'],
  small: ['tool', 'type', 'signals'],
};

const STORAGE_KEY = 'bw-findings-columns';

const columnOf = (key: ColumnKey): FindingColumn => ({ key, ...COLUMNS[key] });

const readKeys = (storage: Pick<Storage, 'getItem'>): ColumnKey[] => {
  try {
    const words = (storage.getItem(STORAGE_KEY) ?? '').split(',');
    const keys = COLUMN_KEYS.filter((key) => words.includes(key));
    return FIXED_KEYS.every((key) => keys.includes(key)) ? keys : [...DEFAULT_KEYS];
  } catch {
    return [...DEFAULT_KEYS];
  }
};

/** Which columns the list shows; kept in this browser. */
export class FindingColumns {
  keys: ColumnKey[];
  readonly #storage: Pick<Storage, 'getItem' | 'setItem'>;

  constructor(storage: Pick<Storage, 'getItem' | 'setItem'>) {
    this.#storage = storage;
    this.keys = readKeys(storage);
    makeAutoObservable(this, {}, { autoBind: true });
  }

  get columns(): FindingColumn[] {
    return this.keys.map(columnOf);
  }

  /** Columns for which there is room; on a small screen the signals fold into the second line of the finding. */
  besidePanel(isSmall: boolean): FindingColumn[] {
    return this.columns.filter((column) => BESIDE_PANEL.includes(column.key) && !(isSmall && column.key === 'signals'));
  }

  /** The usual columns, as many as there is room for. Columns that somebody chose all stay; the list then scrolls sideways. */
  fitting(room: ListRoom): FindingColumn[] {
    if (!this.isDefault || room === 'wide') return this.columns;
    return this.columns.filter(({ key }) => !LEFT_OUT[room].includes(key));
  }

  get choices(): FindingColumn[] {
    return COLUMN_KEYS.map(columnOf);
  }

  get isDefault(): boolean {
    return this.keys.length === DEFAULT_KEYS.length && this.keys.every((key) => DEFAULT_KEYS.includes(key));
  }

  toggle(key: ColumnKey): void {
    if (FIXED_KEYS.includes(key)) return;
    const next = this.keys.includes(key) ? this.keys.filter((one) => one !== key) : [...this.keys, key];
    this.#keep(COLUMN_KEYS.filter((one) => next.includes(one)));
  }

  reset(): void {
    this.#keep([...DEFAULT_KEYS]);
  }

  #keep(keys: ColumnKey[]): void {
    this.keys = keys;
    try {
      this.#storage.setItem(STORAGE_KEY, keys.join(','));
    } catch {
      // Storage is forbidden: the choice lives as long as the page.
    }
  }
}
