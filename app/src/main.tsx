import '@fontsource-variable/inter/wght.css';
import '@fontsource-variable/jetbrains-mono/wght.css';
import '@breakwater/core/shell/ui/styles/index.ts';
import { loadWhenIdle } from '@breakwater/core/platform/ui/data/load-when-idle.ts';
import { LOCALE } from '@breakwater/core/platform/ui/language/locale.store.ts';
import { SESSION_STORE } from '@breakwater/core/session/ui/session.store.ts';
import { AppRoot, createShellRouter } from '@breakwater/core/shell/ui/routing/router.tsx';
import { when } from 'mobx';
import { createRoot } from 'react-dom/client';
import { createServices } from './container.ts';
import { routeTable } from './slices.ts';

type Router = ReturnType<typeof createShellRouter>;

/** The first page is there: drawn before, the application would draw nothing, and the page then in small slices. */
const started = (router: Router): Promise<void> =>
  new Promise((resolve) => {
    const stop = router.subscribe(({ initialized }) => initialized && end());
    const end = () => {
      stop();
      resolve();
    };
    if (router.state.initialized) end();
  });

/** Builds the application and puts it into the page. */
const mount = async (): Promise<void> => {
  const root = document.getElementById('app');
  if (root === null) throw new Error('The page has no element with the id app.');
  const services = createServices();
  window.addEventListener('storage', services.get(SESSION_STORE).handleStorage);
  await services.get(LOCALE).start();
  const router = createShellRouter(routeTable, services);
  await started(router);
  createRoot(root).render(<AppRoot services={services} router={router} />);
  await loadWhenIdle(async () => {
    const session = services.get(SESSION_STORE);
    const { reportUsageOf } = await import('./usage.ts');
    // at the last moment: who is signed in may have left meanwhile
    await when(() => session.isSignedIn && !session.needsTwoFactor);
    await reportUsageOf(services, router);
  });
};

// Not awaited here: an entry that waits is cut into more and larger files.
mount().catch((error: unknown) => {
  // Text: specification §8 "Mount failure".
  console.error('Error while mounting app', error);
  throw error;
});
