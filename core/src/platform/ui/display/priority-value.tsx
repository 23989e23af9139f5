import { formatNumber, formatThousandths } from './formats.ts';

/** A priority: its points, and smaller behind them what decides between equals. */
export function PriorityValue({ value }: { value: number }) {
  const whole = formatNumber(Math.floor(value));
  return (
    <>
      {whole}
      {value > Math.floor(value) && <span className="prio-rest">{formatThousandths(value).slice(whole.length)}</span>}
    </>
  );
}
