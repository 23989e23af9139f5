/** Name of the job that imports one report. Its data: `{ clientId, scanId }`. */
export const IMPORT_JOB = 'import-report';
