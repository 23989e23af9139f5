import { registerHooks } from 'node:module';

/** What the build of a connector leaves out of its module. */
const SDK = '@breakwater/sdk';

/**
 * A built connector comes without packages. Where it finds no SDK of its own, its import of `@breakwater/sdk` gives that of the host, which has to
 * be among the readable folders (`sdkFolders`).
 */
export function provideSdk(): void {
  registerHooks({
    resolve: (specifier, context, next) => {
      try {
        return next(specifier, context);
      } catch (error) {
        if (specifier !== SDK) throw error;
        return next(specifier, { ...context, parentURL: import.meta.url });
      }
    },
  });
}
