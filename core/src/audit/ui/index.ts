/** The log of a client, for who reads inside one. */
export const loadManagedAudit = async () => (await import('./audit-screen.tsx')).AuditScreen;
