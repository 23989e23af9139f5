import { type ResolveHookSync, registerHooks } from 'node:module';

/** What the build of a connector leaves out of its module. */
const SDK = '@breakwater/sdk';

let imported: string | undefined;

/**
 * A built connector comes without packages. Where it finds no SDK of its own, its import of `@breakwater/sdk` gives that of the host, which has to
 * be among the readable folders (`sdkFolders`). @param host address in the package of the SDK of the host
 */
export function provideSdk(host: string): void {
  registerHooks({
    resolve: (specifier, context, next) => {
      if (specifier !== SDK) return next(specifier, context);
      const found = resolveSdk(host)(specifier, context, next);
      imported ??= found.url;
      return found;
    },
  });
}

const resolveSdk =
  (host: string): ResolveHookSync =>
  (specifier, context, next) => {
    try {
      return next(specifier, context);
    } catch {
      return next(specifier, { ...context, parentURL: host });
    }
  };

/** Address of the SDK that code of the plugin has imported first. Undefined until it does: loading it takes longer than all else of a start. */
export const importedSdk = (): string | undefined => imported;
