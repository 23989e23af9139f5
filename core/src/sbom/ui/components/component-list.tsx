import { useVirtualizer } from '@tanstack/react-virtual';
import { observer } from 'mobx-react-lite';
import { useEffect, useRef } from 'react';
import { Link } from 'react-router-dom';
import { directText, fullName, licenseText } from '../component-text.ts';
import type { ComponentsStore } from '../components.store.ts';
import { LICENSE_CLASS_LABELS } from '../license-words.ts';
import { ComponentRisk, componentHref } from './component-cells.tsx';

const BLOCK_PX = 68;

/** The inventory on a phone: blocks instead of columns. */
export const ComponentList = observer(function ComponentList({ store: { list } }: { store: ComponentsStore }) {
  const scrollRef = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer({
    count: list.total ?? 0,
    getScrollElement: () => scrollRef.current,
    estimateSize: () => BLOCK_PX,
    overscan: 6,
  });
  const rows = virtualizer.getVirtualItems();
  const first = rows.at(0)?.index ?? 0;
  const last = rows.at(-1)?.index ?? 0;
  const { generation } = list;
  // biome-ignore lint/correctness/useExhaustiveDependencies: after a reading anew what is in sight is asked for again
  useEffect(() => list.ensure(first, last), [list, first, last, generation]);
  return (
    <div className="component-list" ref={scrollRef}>
      <ul style={{ height: virtualizer.getTotalSize() }}>
        {rows.map(({ index, start }) => {
          const item = list.rowAt(index);
          return (
            <li key={index} style={{ transform: `translateY(${start}px)`, height: BLOCK_PX }}>
              {item === undefined ? (
                <span className="sk" style={{ width: '60%' }} />
              ) : (
                <>
                  <span className="row">
                    <Link className="ttl trunc grow" to={componentHref(item._id)}>
                      {fullName(item.attributes)} <span className="mono muted">{item.attributes.version}</span>
                    </Link>
                    <ComponentRisk attributes={item.attributes} />
                  </span>
                  <span className="muted small trunc">
                    {[
                      item.attributes.ecosystem,
                      licenseText(item.attributes.licenses),
                      LICENSE_CLASS_LABELS[item.attributes.license_class],
                      directText(item.attributes.direct),
                    ]
                      .filter((part) => part !== null && part !== '')
                      .join(' · ')}
                  </span>
                </>
              )}
            </li>
          );
        })}
      </ul>
    </div>
  );
});
