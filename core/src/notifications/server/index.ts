export { type Notice, notify } from './notify.ts';
export type { NotificationsTable } from './tables.ts';
