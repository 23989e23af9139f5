import { Button } from '@blueprintjs/core';
import { msg } from '../../../platform/model/message.ts';
import { useService } from '../../../platform/ui/data/services.tsx';
import { hostText } from '../../../platform/ui/display/host-text.ts';
import { copyText } from '../../../platform/ui/feedback/clipboard.ts';
import { TOASTS } from '../../../platform/ui/feedback/toasts.store.ts';
import { t } from '../../../platform/ui/language/translate.ts';
import { type Connector, formOf, titleOf } from '../data/connector.ts';
import { isConnectable } from '../data/connector-state.ts';

/** `{{hosted_domain}}:{{port}}` → `git.example.com:443` once that is saved, else `[Domain]:443`. */
const hostOf = (connector: Connector, host: string): string =>
  hostText(host, (name) => {
    const value = connector.fields[name]?.value;
    if (typeof value === 'string' || typeof value === 'number') return String(value);
    return `[${formOf(connector).find((entry) => entry.name === name)?.label ?? name}]`;
  });

const SIGNED: Record<Connector['auth'], string> = {
  none: msg('By the connector itself'),
  bearer: msg('By Breakwater, with a bearer token'),
  header: msg('By Breakwater, with a header'),
  basic: msg('By Breakwater, with name and password'),
  address: msg('By its address, which is secret'),
  oauth2: msg('By Breakwater, with an OAuth token'),
};

const RUNS = {
  trusted: msg('Third-party code inside the server, which your operator allows'),
  no_code: msg('None: it is a description that Breakwater evaluates; the publisher is not verified'),
  isolated: msg('Third-party code in a process without network, files and programs; the publisher is not verified'),
  exposed: msg('Third-party code in a process whose network could not be cut, which your operator allows'),
};

/** What the connector may reach. Everything else is refused by the server. */
export function Permissions({ connector }: { connector: Connector }) {
  const { egress, auth, plugin } = connector;
  return (
    <section className="sec">
      <h3>{t('Permissions')}</h3>
      {egress.length === 0 ? (
        <p className="t2">{t('It talks to no service and opens no connection.')}</p>
      ) : (
        <>
          <p className="t2">{t('It may talk to these hosts, and to no other:')}</p>
          <ul className="hosts mono">
            {egress.map((host) => (
              <li key={host}>{hostOf(connector, host)}</li>
            ))}
          </ul>
        </>
      )}
      <dl className="kv">
        {egress.length > 0 && (
          <>
            <dt className="small">{t('Requests signed')}</dt>
            <dd className="small">{t(SIGNED[auth])}</dd>
          </>
        )}
        <dt className="small">{t('Comes from')}</dt>
        <dd className="small">
          {plugin.publisher ?? t('An unnamed publisher')}, {plugin.id} {plugin.version}
        </dd>
        {plugin.trust !== 'own' && (
          <>
            <dt className="small">{t('Its code')}</dt>
            <dd className="small">{t(RUNS[plugin.trust])}</dd>
          </>
        )}
      </dl>
    </section>
  );
}

/** Where the service sends its deliveries; to be entered there. */
export function DeliveryAddress({ connector }: { connector: Connector }) {
  const toasts = useService(TOASTS);
  const { webhook_path: path, abilities } = connector;
  if (path === null) return null;
  if (abilities.includes('scm')) {
    return (
      <section className="sec">
        <h3>{t('Webhooks')}</h3>
        <p className="t2">{t('Breakwater makes them itself. The page of each repository shows its webhook.')}</p>
      </section>
    );
  }
  const address = new URL(path, window.location.origin).href;
  return (
    <section className="sec">
      <h3>{t('Webhook')}</h3>
      <p className="t2">
        {t('Enter this address in {title}, so that it reports events here.', {
          title: titleOf(connector),
        })}
      </p>
      <div className="row">
        <input className="bp6-input mono is-quiet grow" readOnly aria-label={t('Webhook address')} value={address} />
        <Button text={t('Copy')} onClick={() => void copyText(address, toasts)} />
      </div>
    </section>
  );
}

const stepsOf = (connector: Connector): string[] => {
  const { abilities } = connector;
  if (!isConnectable(connector)) {
    return abilities.includes('upload')
      ? [t('You upload a report, or a pipeline sends it.'), t('Its results are compared with what is known.')]
      : [];
  }
  return [
    t('The values are stored; secrets are encrypted and never shown again.'),
    ...(abilities.includes('check') ? [t('Breakwater checks them with the service, 10 seconds at most.')] : []),
    ...(abilities.includes('sync') ? [t('Findings can be pulled as soon as it is connected.')] : []),
  ];
};

/** What follows a first save, step by step. */
export function NextSteps({ connector }: { connector: Connector }) {
  const steps = stepsOf(connector);
  const isBegun = connector.state !== 'absent' && connector.state !== 'draft';
  if (steps.length === 0 || isBegun || connector.disabled !== null) return null;
  return (
    <section className="sec">
      <h3>{t('What happens next')}</h3>
      <ol className="next-steps t2">
        {steps.map((step, index) => (
          <li key={step}>
            <span className="tick" aria-hidden="true">
              {index + 1}
            </span>
            {step}
          </li>
        ))}
      </ol>
    </section>
  );
}
