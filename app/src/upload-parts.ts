// What uploads consist of, fetched as one: each address of a file that the first page names is part of its limit.
export { UPLOAD_STORE, UploadStore } from '@breakwater/core/ingest/ui/upload.store.ts';
export { UploadDialog } from '@breakwater/core/ingest/ui/upload-dialog.tsx';
export { createReportReader } from './report-reader.ts';
