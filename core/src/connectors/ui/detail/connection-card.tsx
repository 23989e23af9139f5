import { t } from '../../../platform/ui/language/translate.ts';
import { ConnectorDetail, type ConnectorDetailProps } from './connector-detail.tsx';

/** A connection on a page: what it is, where it stands, its form and all that can be done with it. */
export function ConnectionCard(props: ConnectorDetailProps) {
  const { title, description, image } = props.item.attributes;
  return (
    <section className="bp6-card provider" aria-label={title}>
      <h2 className="sr">{t('Connection')}</h2>
      <div className="row provider-head conn">
        <img className="lg" src={image} alt="" width={32} height={32} />
        <p className="t2">{description}</p>
      </div>
      <ConnectorDetail key={props.item._id} {...props} />
    </section>
  );
}
