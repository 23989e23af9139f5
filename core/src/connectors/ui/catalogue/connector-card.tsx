import { Button } from '@blueprintjs/core';
import { Refresh, Upload } from '@blueprintjs/icons';
import { observer } from 'mobx-react-lite';
import { Link } from 'react-router-dom';
import { msg } from '../../../platform/model/message.ts';
import { useService } from '../../../platform/ui/data/services.tsx';
import { UPLOADS } from '../../../platform/ui/data/uploads-port.ts';
import { Skeleton, useDelayed } from '../../../platform/ui/feedback/skeleton.tsx';
import { languageOf, t } from '../../../platform/ui/language/translate.ts';
import { SESSION } from '../../../shell/ui/navigation/shell-ports.ts';
import { type Connector, type ConnectorItem, titleOf } from '../data/connector.ts';
import { isConnectable, type MainAction, mainActionOf } from '../data/connector-state.ts';
import { noteOf, noteTitle } from '../data/connector-text.ts';
import type { ConnectorsStore, Work } from '../data/connectors.store.ts';
import { useConnectionActions } from '../data/use-connectors.ts';
import { StatusLine } from '../detail/connector-status.tsx';

const LABELS: Record<MainAction, string> = {
  upload: msg('Upload report'),
  'set-up': msg('Set up'),
  reconnect: msg('Reconnect'),
  manage: msg('Manage'),
  check: msg('Check again'),
  view: msg('View'),
};

const ICONS: Partial<Record<MainAction, typeof Upload>> = { upload: Upload, reconnect: Refresh, check: Refresh };

/** Marks of a card: what it costs, whether it works at all, whether it came with the product. */
function Marks({ connector }: { connector: Connector }) {
  const { trust } = connector.plugin;
  const isOurs = trust === 'own' && !isConnectable(connector) && !connector.commercial;
  return (
    <span className="marks">
      {connector.commercial && <span className="bp6-tag bp6-minimal">{t('Commercial')}</span>}
      {trust !== 'own' && <span className="bp6-tag bp6-minimal">{t('Third party')}</span>}
      {trust === 'exposed' && <span className="bp6-tag bp6-minimal bp6-intent-warning">{t('Network not cut')}</span>}
      {isOurs && connector.disabled === null && <span className="bp6-tag bp6-minimal">{t('Built in')}</span>}
    </span>
  );
}

const noteWhile = (connector: Connector, work: Work | undefined): string =>
  work === 'save' || work === 'check' ? t('Asking the service. This takes 30 seconds at most.') : noteOf(connector);

interface ConnectorCardProps {
  store: ConnectorsStore;
  item: ConnectorItem;
  /** Address of the page with this card's panel open. */
  href: string;
  isOpen: boolean;
  onOpen: () => void;
}

interface ActionProps extends ConnectorCardProps {
  action: MainAction;
}

function CardAction({ store, item, action, onOpen }: ActionProps) {
  const uploads = useService(UPLOADS);
  const acts = useConnectionActions(store);
  const Icon = ICONS[action];
  const act = () => {
    if (action === 'upload') uploads.open();
    else if (action === 'check') void acts.check(item);
    else onOpen();
  };
  return (
    <Button
      size="small"
      {...(Icon === undefined ? {} : { icon: <Icon size={14} aria-hidden={true} /> })}
      text={t(LABELS[action])}
      aria-label={`${t(LABELS[action])}: ${titleOf(item.attributes)}`}
      onClick={act}
    />
  );
}

/** One connector: what it brings, where its connection stands, and the one thing to do. */
export const ConnectorCard = observer(function ConnectorCard(props: ConnectorCardProps) {
  const { store, item, href, isOpen } = props;
  const role = useService(SESSION).user?.role;
  const { attributes } = item;
  const work = store.workOn(item);
  const action = work === undefined ? mainActionOf(attributes, role) : undefined;
  const isOff = attributes.disabled !== null || attributes.gate.state.startsWith('disabled');
  return (
    <article
      className={`bp6-card conn ${isOpen ? 'is-open' : ''} ${isOff ? 'is-off' : ''}`}
      aria-label={titleOf(attributes)}
    >
      <div className="top">
        <img className="lg" src={attributes.image} alt="" width={32} height={32} />
        <div className="grow">
          <h3>
            <Link to={href} data-connector={item._id} aria-current={isOpen ? 'true' : undefined}>
              {titleOf(attributes)}
            </Link>
          </h3>
          <p lang={languageOf(attributes.description)}>{t(attributes.description)}</p>
        </div>
        <Marks connector={attributes} />
      </div>
      <p className="note" title={noteTitle(attributes)}>
        {noteWhile(attributes, work)}
      </p>
      <div className="bot">
        <span className="small" role="status">
          <StatusLine connector={attributes} work={work} />
        </span>
        {action !== undefined && <CardAction {...props} action={action} />}
      </div>
    </article>
  );
});

const CARDS = [0, 1, 2, 3, 4, 5];

/** Cards of the real size while the catalogue loads. */
export function CardsSkeleton() {
  const isDue = useDelayed();
  return (
    <div className="page catalogue" role="status" aria-label={t('Connectors are being read')}>
      {isDue && (
        <div className="cgrid">
          {CARDS.map((card) => (
            <div className="bp6-card conn" key={card}>
              <Skeleton width="40%" />
              <Skeleton width="72%" />
              <Skeleton width="56%" />
            </div>
          ))}
        </div>
      )}
    </div>
  );
}
