import { Cross, Error as ErrorIcon, InfoSign, Tick } from '@blueprintjs/icons';
import { observer } from 'mobx-react-lite';
import { useEffect } from 'react';
import { Link } from 'react-router-dom';
import { useService } from '../data/services.tsx';
import { t } from '../language/translate.ts';
import { TOASTS, type Toast, type ToastTone } from './toasts.store.ts';

const ICONS: Record<ToastTone, typeof Tick> = { done: Tick, problem: ErrorIcon, notice: InfoSign };

interface ToastItemProps {
  toast: Toast;
}

const ToastItem = observer(function ToastItem({ toast }: ToastItemProps) {
  const toasts = useService(TOASTS);
  const Icon = ICONS[toast.tone];
  return (
    // The handlers only stop the clock; everything to be done is a button inside.
    // biome-ignore lint/a11y/noStaticElementInteractions: see above
    <div
      className="toast"
      onMouseEnter={() => toasts.pause(toast.id)}
      onMouseLeave={() => toasts.resume(toast.id)}
      onFocus={() => toasts.pause(toast.id)}
      onBlur={() => toasts.resume(toast.id)}
    >
      <Icon size={16} aria-hidden={true} />
      <span className="grow">{toast.message}</span>
      {toast.action !== undefined && (
        <button type="button" className="toast-act" onClick={() => toasts.runAction(toast.id)}>
          {toast.action.label}
        </button>
      )}
      {toast.link !== undefined && (
        <Link className="toast-act" to={toast.link.to} onClick={() => toasts.dismiss(toast.id)}>
          {toast.link.label}
        </Link>
      )}
      <button type="button" className="toast-close" aria-label={t('Close')} onClick={() => toasts.dismiss(toast.id)}>
        <Cross size={16} aria-hidden={true} />
      </button>
      {toast.hasBar && (
        <span
          className="bar"
          style={{
            animationDuration: `${toast.timeoutMs}ms`,
            animationPlayState: toast.isPaused ? 'paused' : 'running',
          }}
        />
      )}
    </div>
  );
});

/** What panels with buttons at their end call: a notice must not lie on these. */
export const useRaisedToasts = (): void => {
  const toasts = useService(TOASTS);
  useEffect(() => toasts.raise(), [toasts]);
};

/** Where notices appear; present on every page, so that a screen reader hears what comes in. */
export const ToastArea = observer(function ToastArea() {
  const { toasts, panels } = useService(TOASTS);
  return (
    <div className={panels > 0 ? 'toasts is-raised' : 'toasts'} role="status" aria-live="polite">
      {toasts.map((toast) => (
        <ToastItem key={toast.id} toast={toast} />
      ))}
    </div>
  );
});
