/** What Google's script hands back. The credential is an ID token. */
export interface GoogleCredential {
  clientId?: string;
  credential?: string;
}

interface GoogleIdentity {
  accounts: {
    id: {
      initialize(options: {
        client_id: string;
        nonce: string;
        ux_mode: 'popup';
        callback: (answer: GoogleCredential) => void;
      }): void;
      renderButton(
        parent: HTMLElement,
        options: { theme: 'outline' | 'filled_black'; size: 'large'; text: 'signin_with'; width: number },
      ): void;
      cancel(): void;
    };
  };
}

declare global {
  interface Window {
    /** Google Identity Services, as far as it is used. Source: its JavaScript API reference, 2026-11. */
    google?: GoogleIdentity;
  }
}

const loading = new Map<string, Promise<GoogleIdentity>>();

const load = (url: string): Promise<GoogleIdentity> =>
  new Promise((resolve, reject) => {
    const script = document.createElement('script');
    const fail = () => {
      script.remove();
      loading.delete(url);
      reject(new Error("Google's script could not be loaded."));
    };
    script.src = url;
    script.async = true;
    script.addEventListener('error', fail);
    script.addEventListener('load', () => (window.google === undefined ? fail() : resolve(window.google)));
    document.head.append(script);
  });

/** Google's script, loaded once. */
export const loadGoogle = (url: string): Promise<GoogleIdentity> => {
  const known = loading.get(url) ?? load(url);
  loading.set(url, known);
  return known;
};
