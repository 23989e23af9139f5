/** What the settings of a repository at its provider say; in a chunk of its own. */
export const loadRepositoryPosture = async () => (await import('./posture/repository-posture.tsx')).RepositoryPosture;
