export { UploadDialog } from './components/upload-dialog.tsx';
export { loadSampleData, removeSampleData } from './sample-data.ts';
export { UPLOAD_STORE, UploadStore } from './upload.store.ts';
