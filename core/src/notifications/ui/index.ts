/** Code of the number beside the bell, which nobody waits for. */
export const loadUnreadBadge = async () => (await import('./unread-badge.tsx')).UnreadBadge;
