import { makeAutoObservable } from 'mobx';
import { serviceId } from '../data/service-id.ts';

export const COLOR_MODES = ['system', 'light', 'dark'] as const;
export type ColorModePreference = (typeof COLOR_MODES)[number];

/** Also read by the inline script of app/index.html, before the first paint. */
export const THEME_KEY = 'bw-theme';
const DARK_CLASS = 'bp6-dark';

const isPreference = (value: unknown): value is ColorModePreference => COLOR_MODES.some((mode) => mode === value);

export interface ThemeEnvironment {
  storage: Pick<Storage, 'getItem' | 'setItem'>;
  systemDark: Pick<MediaQueryList, 'matches' | 'addEventListener'>;
  root: HTMLElement;
}

/** Storage may be forbidden (private windows); the mode then lives as long as the page. */
const readPreference = (storage: ThemeEnvironment['storage']): ColorModePreference => {
  try {
    const stored = storage.getItem(THEME_KEY);
    return isPreference(stored) ? stored : 'system';
  } catch {
    return 'system';
  }
};

/** Light, dark or as the system: the person's preference, and what a page may force over it. */
export class ThemeStore {
  preference: ColorModePreference;
  forced: ColorModePreference | undefined = undefined;
  isSystemDark: boolean;
  readonly #environment: ThemeEnvironment;

  constructor(environment: ThemeEnvironment) {
    this.#environment = environment;
    this.preference = readPreference(environment.storage);
    this.isSystemDark = environment.systemDark.matches;
    makeAutoObservable(this, {}, { autoBind: true });
    environment.systemDark.addEventListener('change', (event) => this.setSystemDark(event.matches));
    this.apply();
  }

  get isDark(): boolean {
    const mode = this.forced ?? this.preference;
    return mode === 'system' ? this.isSystemDark : mode === 'dark';
  }

  setPreference(preference: ColorModePreference): void {
    this.preference = preference;
    try {
      this.#environment.storage.setItem(THEME_KEY, preference);
    } catch {
      // Not kept; see readPreference.
    }
    this.apply();
  }

  /** What the page that shows now demands; `undefined` gives the choice back. */
  force(mode: ColorModePreference | undefined): void {
    this.forced = mode;
    this.apply();
  }

  setSystemDark(isDark: boolean): void {
    this.isSystemDark = isDark;
    this.apply();
  }

  /** Writes the mode onto the document; charts redraw by observing `isDark`. */
  apply(): void {
    const { root } = this.#environment;
    root.classList.toggle(DARK_CLASS, this.isDark);
    root.style.colorScheme = this.isDark ? 'dark' : 'light';
  }
}

export const THEME = serviceId<ThemeStore>('platform.theme');
