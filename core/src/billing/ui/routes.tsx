import { msg } from '../../platform/model/message.ts';
import { type Guard, insideOrganization, requires } from '../../shell/ui/routing/guards.ts';
import type { RouteEntry } from '../../shell/ui/routing/route-entry.ts';

/** Without a token there is nothing to activate. Source: specification §2. */
const withToken: Guard = {
  name: 'withToken',
  check: ({ url }) => ((url.searchParams.get('token') ?? '') === '' ? { redirect: '/' } : undefined),
};

/** Plans and their payment. Source: specification §2. */
export const routes: readonly RouteEntry[] = [
  {
    path: '/plan-pricings',
    layout: 'home',
    guards: [requires('billing.read')],
    title: msg('Plans'),
    load: async () => (await import('./plan-pricings-screen.tsx')).PlanPricingsScreen,
  },
  {
    path: '/payment/success',
    layout: 'home',
    guards: [insideOrganization, requires('billing.read')],
    title: msg('Payment'),
    load: async () => (await import('./payment-screens.tsx')).PaymentSuccessScreen,
  },
  {
    path: '/payment/cancel',
    layout: 'home',
    guards: [insideOrganization, requires('billing.read')],
    title: msg('Payment'),
    load: async () => (await import('./payment-screens.tsx')).PaymentCancelScreen,
  },
  {
    path: '/microsoft-marketplace',
    layout: 'guest',
    guards: [withToken],
    title: msg('Microsoft Marketplace'),
    load: async () => (await import('./marketplace-screen.tsx')).MarketplaceScreen,
  },
];
