import type { EChartsOption } from 'echarts';
import { BarChart } from 'echarts/charts';
import { AriaComponent, GridComponent, TooltipComponent } from 'echarts/components';
import * as echarts from 'echarts/core';
import { use as register } from 'echarts/core';
import { SVGRenderer } from 'echarts/renderers';
import EChartsReactCore from 'echarts-for-react/esm/core';
import { useEffect, useRef, useState } from 'react';

register([BarChart, GridComponent, TooltipComponent, AriaComponent, SVGRenderer]);

/** Which bar was chosen: its series and its place in it. */
export interface ChosenBar {
  seriesIndex: number;
  dataIndex: number;
}

export interface ChartCanvasProps {
  option: EChartsOption;
  onChoose: (bar: ChosenBar) => void;
}

const opts = { renderer: 'svg' } as const;

const style = { height: '100%', width: '100%' };

const isOther = (before: { option: unknown }, now: { option: unknown }): boolean =>
  JSON.stringify(before.option) !== JSON.stringify(now.option);

/**
 * ECharts with only the parts that are used. Loaded lazily: it weighs more than a page.
 * Bars are drawn anew only for other data: one that is replaced between press and release loses its click. `aria-busy` until bars
 * answer, since echarts-for-react draws twice before it listens.
 */
export function ChartCanvas({ option, onChoose }: ChartCanvasProps) {
  const choose = useRef(onChoose);
  useEffect(() => {
    choose.current = onChoose;
  }, [onChoose]);
  const [isReady, setReady] = useState(false);
  const [events] = useState(() => ({
    click: ({ seriesIndex, dataIndex }: ChosenBar) => choose.current({ seriesIndex, dataIndex }),
  }));
  return (
    <EChartsReactCore
      echarts={echarts}
      option={option}
      notMerge
      shouldSetOption={isOther}
      style={style}
      opts={opts}
      onEvents={events}
      onChartReady={() => setReady(true)}
      aria-busy={!isReady}
    />
  );
}
