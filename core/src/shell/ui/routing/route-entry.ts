import type { ComponentType } from 'react';
import type { ServiceLocator } from '../../../platform/ui/data/service-id.ts';
import type { Guard } from './guards.ts';

/** Frames of a page. Source: specification §2. */
export type LayoutName = 'default' | 'error' | 'guest' | 'home';

type ColorMode = 'light' | 'dark' | 'system';

/** A part of a page with its own address below the page's: a detail panel beside its list, rendered in the page's `<Outlet />`. */
export interface ChildEntry {
  /** Relative to the page: `finding-details/:id`. Empty string: what shows when no other child does. */
  path: string;
  /** Replaces the page's title while it shows. */
  title?: string;
  load?: () => Promise<ComponentType>;
  children?: readonly ChildEntry[];
}

/** A page: one line of the application's route table. */
export interface PageEntry {
  /** Absolute, with `:name` for parameters: `/findings/finding-details/:id`. */
  path: string;
  layout: LayoutName;
  /** Run in order before the page is loaded. Pages of the home layout are always `authenticated` as well. */
  guards?: readonly Guard[];
  /** Forces the colour mode while the page shows; the person's preference stays as it is. */
  colorMode?: ColorMode;
  /** Of the browser tab; " · Breakwater" is added. */
  title: string;
  /** `async () => (await import('./screens/x-screen.tsx')).XScreen`: always a dynamic import, so that each page is its own chunk. */
  load: () => Promise<ComponentType>;
  /**
   * Begins to read what the page shows, while its frame is still being drawn. Only of the page that the application begins with, once its
   * guards let it. What it answers with is the page's loader data.
   */
  begin?: (services: ServiceLocator, url: URL) => Promise<unknown>;
  children?: readonly ChildEntry[];
}

/** An address that always answers with the error page. */
export interface ErrorEntry {
  path: string;
  title: string;
  error: { status: number; message: string };
}

export type RouteEntry = PageEntry | ErrorEntry;

interface RouteHandleFields {
  title?: string | undefined;
  colorMode?: ColorMode | undefined;
  load?: (() => Promise<ComponentType>) | undefined;
  /** False for layouts and for parts of a page. */
  isPage?: boolean;
}

/** What the router keeps with a route for the shell. A class, because the router hands it back as `unknown`. */
export class RouteHandle {
  readonly title: string | undefined;
  readonly colorMode: ColorMode | undefined;
  readonly load: (() => Promise<ComponentType>) | undefined;
  readonly isPage: boolean;

  constructor(fields: RouteHandleFields) {
    this.title = fields.title;
    this.colorMode = fields.colorMode;
    this.load = fields.load;
    this.isPage = fields.isPage ?? false;
  }
}
