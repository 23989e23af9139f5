/** The fix of a finding, for the panel of the finding; in a chunk of its own. */
export const loadFixPanel = async () => (await import('./fix-panel.tsx')).FixPanel;
