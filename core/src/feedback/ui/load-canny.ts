interface RenderOptions {
  boardToken: string;
  /** Where the board stands in our addresses. */
  basePath: string;
  ssoToken: string;
}

type Canny = (command: 'render', options: RenderOptions) => void;

declare global {
  interface Window {
    /** Canny's widget, as far as it is used. Source: its page "Install", 2026-11. */
    Canny?: Canny;
  }
}

const loading = new Map<string, Promise<Canny>>();

const load = (url: string): Promise<Canny> =>
  new Promise((resolve, reject) => {
    const script = document.createElement('script');
    const fail = () => {
      script.remove();
      loading.delete(url);
      reject(new Error("Canny's script could not be loaded."));
    };
    script.src = url;
    script.async = true;
    script.addEventListener('error', fail);
    script.addEventListener('load', () => (window.Canny === undefined ? fail() : resolve(window.Canny)));
    document.head.append(script);
  });

/** Loads Canny's script once. @throws Error where it cannot be reached */
export const loadCanny = (url: string): Promise<Canny> => {
  const known = loading.get(url);
  if (known !== undefined) return known;
  const script = load(url);
  loading.set(url, script);
  return script;
};
