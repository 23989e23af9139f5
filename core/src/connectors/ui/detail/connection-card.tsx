import { languageOf, t } from '../../../platform/ui/language/translate.ts';
import { titleOf } from '../data/connector.ts';
import { ConnectorDetail, type ConnectorDetailProps } from './connector-detail.tsx';

/** A connection on a page: what it is, where it stands, its form and all that can be done with it. */
export function ConnectionCard(props: ConnectorDetailProps) {
  const { description, image } = props.item.attributes;
  return (
    <section className="bp6-card provider" aria-label={titleOf(props.item.attributes)}>
      <h2 className="sr">{t('Connection')}</h2>
      <div className="row provider-head conn">
        <img className="lg" src={image} alt="" width={32} height={32} />
        <p className="t2" lang={languageOf(description)}>
          {t(description)}
        </p>
      </div>
      <ConnectorDetail key={props.item._id} {...props} />
    </section>
  );
}
