import { type Connector, formOf } from '../connector.ts';
import { isConnectable } from '../connector-state.ts';

const TEMPLATE = /^\{\{\s*(\w+)\s*\}\}$/;

/** `{{hosted_domain}}` → the host in the field “Host”. */
const hostText = (connector: Connector, host: string): string => {
  const name = TEMPLATE.exec(host)?.[1];
  if (name === undefined) return host;
  const label = formOf(connector).find((entry) => entry.name === name)?.label ?? name;
  return `The host in the field “${label}”`;
};

const SIGNED: Record<Connector['auth'], string> = {
  none: 'By the connector itself',
  bearer: 'By Breakwater, with a bearer token',
  header: 'By Breakwater, with a header',
  basic: 'By Breakwater, with name and password',
  oauth2: 'By Breakwater, with an OAuth token',
};

/** What the connector may reach. Everything else is refused by the server. */
export function Permissions({ connector }: { connector: Connector }) {
  const { egress, auth, plugin } = connector;
  return (
    <section className="sec">
      <h3>Permissions</h3>
      {egress.length === 0 ? (
        <p className="t2">It talks to no service and opens no connection.</p>
      ) : (
        <>
          <p className="t2">It may talk to these hosts, and to no other:</p>
          <ul className="hosts mono">
            {egress.map((host) => (
              <li key={host}>{hostText(connector, host)}</li>
            ))}
          </ul>
        </>
      )}
      <dl className="kv">
        {egress.length > 0 && (
          <>
            <dt className="small">Requests signed</dt>
            <dd className="small">{SIGNED[auth]}</dd>
          </>
        )}
        <dt className="small">Comes from</dt>
        <dd className="small">
          {plugin.publisher ?? 'An unnamed publisher'}, {plugin.id} {plugin.version}
        </dd>
      </dl>
    </section>
  );
}

const stepsOf = (connector: Connector): string[] => {
  const { abilities } = connector;
  if (!isConnectable(connector)) {
    return abilities.includes('upload')
      ? ['You upload a report, or a pipeline sends it.', 'Its results are compared with what is known.']
      : [];
  }
  return [
    'The values are stored; secrets are encrypted and never shown again.',
    ...(abilities.includes('check') ? ['Breakwater asks the service who they belong to, 10 seconds at most.'] : []),
    ...(abilities.includes('sync') ? ['Findings can be pulled as soon as it is connected.'] : []),
  ];
};

/** What follows a first save, step by step. */
export function NextSteps({ connector }: { connector: Connector }) {
  const steps = stepsOf(connector);
  if (steps.length === 0) return null;
  return (
    <section className="sec">
      <h3>What happens next</h3>
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
