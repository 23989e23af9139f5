import type { ComponentType } from 'react';
import type { Permission } from '../../platform/model/permissions.ts';
import type { ApiClient } from '../../platform/ui/api-client.ts';

export interface NavigationIconProps {
  size?: number;
  'aria-hidden'?: boolean;
}

/** Number at the right of a rail item. It is read at sign-in, after each listed event, and when the connection comes back. */
export interface NavigationCount {
  load(api: ApiClient, signal: AbortSignal): Promise<number>;
  /** Types of server-sent events after which the number may differ: `findings.imported`. */
  refreshOn: readonly string[];
}

/** One item of the rail. Areas that are not built have none. */
export interface NavigationEntry {
  label: string;
  /** A Blueprint icon as a component: `Shield` of `@blueprintjs/icons`. */
  icon: ComponentType<NavigationIconProps>;
  /** Address; the item is current there and below it. */
  path: string;
  /** `work`: the product's lists. `organization`: under the organisation's name. */
  group: 'work' | 'organization';
  /** Absent: everybody. */
  permission?: Permission;
  count?: NavigationCount;
}
