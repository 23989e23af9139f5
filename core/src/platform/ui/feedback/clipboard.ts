import { t } from '../language/translate.ts';
import type { ToastsStore } from './toasts.store.ts';

/** Copies a text and says so. Texts: specification §8 "Clipboard". */
export const copyText = async (text: string, toasts: ToastsStore): Promise<void> => {
  // Absent on pages that are not served securely.
  const clipboard: Clipboard | undefined = navigator.clipboard;
  if (clipboard === undefined) {
    toasts.show(t('Clipboard API not supported'), { tone: 'problem' });
    return;
  }
  try {
    await clipboard.writeText(text);
    toasts.show(t('Text copied to clipboard'), { tone: 'done' });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    toasts.show(t('Failed to copy text: {reason}', { reason }), { tone: 'problem' });
  }
};
