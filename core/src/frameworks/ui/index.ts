export type { FrameworksPlace } from './framework-parts.tsx';

/** The frameworks of a client that a superadmin reads; each in a chunk of its own. */
export const loadManagedFrameworks = async () => (await import('./frameworks-screen.tsx')).FrameworksScreen;
export const loadManagedFramework = async () => (await import('./framework-screen.tsx')).FrameworkScreen;
