// no text in this file: a type
/** How the application's code uses a package. */
export type PackageUse = 'imported' | 'transitive' | 'not_imported' | 'unknown';
