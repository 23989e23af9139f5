/** The charts of a client that a superadmin reads; in a chunk of their own. */
export const loadManagedCharts = async () => (await import('./managed-charts.tsx')).ManagedCharts;
