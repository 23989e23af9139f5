/** Name of the file that says what a built connector is. */
export const MANIFEST_FILE = 'breakwater-build.json';
