import type { ComponentType } from 'react';
import type { ColorMode } from './route-entry.ts';

export interface RouteHandleFields {
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
