import { Skeleton, useDelayed } from '../../../platform/ui/skeleton.tsx';

const CARDS = [0, 1, 2, 3, 4, 5];

/** Cards of the real size while the catalogue loads. */
export function CardsSkeleton() {
  const isDue = useDelayed();
  return (
    <div className="page catalogue" role="status" aria-label="Connectors are being read">
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
