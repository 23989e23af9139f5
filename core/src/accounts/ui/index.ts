export { type Proofs, useProofs } from './proof-fields.tsx';
export { ProvenDeletionDialog } from './proven-deletion-dialog.tsx';
