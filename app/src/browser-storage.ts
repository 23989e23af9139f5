/** Storage that lives as long as the page. */
const createPageStorage = (): Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> => {
  const values = new Map<string, string>();
  return {
    getItem: (key) => values.get(key) ?? null,
    setItem: (key, value) => {
      values.set(key, value);
    },
    removeItem: (key) => {
      values.delete(key);
    },
  };
};

/** The browser's storage; where a policy forbids even to touch it, one that lives as long as the page. */
export const browserStorage = (): Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> => {
  try {
    return window.localStorage;
  } catch {
    return createPageStorage();
  }
};
