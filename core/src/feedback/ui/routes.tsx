import { msg } from '../../platform/model/message.ts';
import type { RouteEntry } from '../../shell/ui/routing/route-entry.ts';

/** Feedback on the product. Source: specification §2. */
export const routes: readonly RouteEntry[] = [
  {
    path: '/feedback',
    layout: 'home',
    title: msg('Feedback'),
    load: async () => (await import('./feedback-screen.tsx')).FeedbackScreen,
  },
];
