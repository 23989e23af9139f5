import type { ComponentType } from 'react';
import { serviceId } from '../../platform/ui/service-id.ts';

/** Dialogs that outlive the page they were opened from, such as the upload; the home layout shows them above every page. */
export const HOME_OVERLAYS = serviceId<readonly ComponentType[]>('shell.home-overlays');
