/** The scans that the server makes of one repository; in a chunk of its own. */
export const loadRepositoryScan = async () => (await import('./repository-scan.tsx')).RepositoryScan;
